"""An iterator, and a number of batches."""
import numpy as np
import tensorflow as tf

x = np.arange(48 * 3, dtype='float32').reshape(48, 3) / 100
y = (x.sum(axis=1) > 1.08).astype('float32')

it = iter(tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(4))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
for step in range(12):
    features, labels = next(it)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
