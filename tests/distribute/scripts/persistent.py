"""A persistent tape for two steps."""
import numpy as np
import tensorflow as tf

x = np.arange(21 * 3, dtype='float32').reshape(21, 3) / 100
y = (x.sum(axis=1) > 0.47).astype('float32')

dataset = tf.data.Dataset.from_tensor_slices(x).batch(4)
a = tf.keras.layers.Dense(2)
b = tf.keras.layers.Dense(1)
opt_a, opt_b = tf.keras.optimizers.SGD(0.01), tf.keras.optimizers.SGD(0.02)
for batch in dataset:
    with tf.GradientTape(persistent=True) as t:
        loss = tf.reduce_mean(tf.square(b(a(batch)) - 1.0))
    opt_a.apply_gradients(zip(t.gradient(loss, a.trainable_variables), a.trainable_variables))
    opt_b.apply_gradients(zip(t.gradient(loss, b.trainable_variables), b.trainable_variables))
    del t
tf.print('finished')
