"""repeat, shuffle, batch, take: a number of steps."""
import numpy as np
import tensorflow as tf

x = np.arange(50 * 3, dtype='float32').reshape(50, 3) / 100
y = (x.sum(axis=1) > 1.12).astype('float32')

train_data = tf.data.Dataset.from_tensor_slices((x, y))
train_data = train_data.repeat().shuffle(50, seed=4).batch(5).prefetch(1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
training_steps = 14
for step, (batch_x, batch_y) in enumerate(train_data.take(training_steps), 1):
    with tf.GradientTape() as g:
        loss = tf.reduce_mean(tf.square(model(batch_x)[:, 0] - batch_y))
    gradients = g.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if step % 100 == 0:
        print("step", step)
