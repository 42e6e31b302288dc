"""Tabs, semicolons, one-line suites, strings over lines."""
import numpy as np
import tensorflow as tf

x = np.arange(20 * 3, dtype='float32').reshape(20, 3) / 100
y = (x.sum(axis=1) > 0.45).astype('float32')

dataset = tf.data.Dataset.from_tensor_slices(x).batch(5)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)]); opt = tf.keras.optimizers.SGD(0.01)
for number, batch in enumerate(dataset):
	with tf.GradientTape() as tape: loss = tf.reduce_mean(tf.square(model(batch) - 1.0))
	weights = model.trainable_variables
	g = tape.gradient(loss, weights); opt.apply_gradients(zip(g, weights)); print("""a
  b""",  # kept
		number)
	if number == 1: print('one'); print('more')
