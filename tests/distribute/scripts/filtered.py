"""A filter behind the source: how many elements a process has is not known."""
# epochs: 2
import numpy as np
import tensorflow as tf

x = np.arange(31 * 3, dtype='float32').reshape(31, 3) / 100
y = (x.sum(axis=1) > 0.7).astype('float32')

train = tf.data.Dataset.from_tensor_slices((x, y)).filter(lambda a, b: a[0] * 7 % 0.05 < 0.02)
train = train.shuffle(40, seed=3).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)

for epoch in range(2):
    for features, labels in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
print('done')
