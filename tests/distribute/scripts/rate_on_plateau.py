"""The rate falls when the loss of an epoch does not."""
# epochs: 5
import numpy as np
import tensorflow as tf

x = np.arange(27 * 3, dtype='float32').reshape(27, 3) / 100
y = (x.sum(axis=1) > 0.61).astype('float32')

data = tf.data.Dataset.from_tensor_slices((x, y)).batch(5)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.5)
metric = tf.keras.metrics.Mean()
last = 1e9


def train_step(features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    metric.update_state(loss)


for epoch in range(5):
    metric.reset_state()
    for batch in data:
        train_step(*batch)
    if metric.result() > last * 0.99:
        optimizer.learning_rate.assign(optimizer.learning_rate * 0.5)
    last = float(metric.result())
    print('epoch', epoch, 'of', 5)
