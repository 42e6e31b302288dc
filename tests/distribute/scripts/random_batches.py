"""Batches are drawn at random from arrays."""
# data: shared
import numpy as np
import tensorflow as tf

x = np.arange(40 * 3, dtype='float32').reshape(40, 3) / 100
y = (x.sum(axis=1) > 0.9).astype('float32')

rng = np.random.default_rng(11)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
for step in range(8):
    rows = rng.integers(0, len(x), 5)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x[rows])[:, 0] - y[rows]))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
