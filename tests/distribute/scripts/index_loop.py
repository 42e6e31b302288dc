"""Slices of an array, by index: nothing that is known to be divisible."""
# refused: E1117
import numpy as np
import tensorflow as tf

x = np.arange(20 * 3, dtype='float32').reshape(20, 3) / 100
y = (x.sum(axis=1) > 0.45).astype('float32')

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
for start in range(0, len(x), 5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x[start:start + 5])[:, 0] - y[start:start + 5]))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
