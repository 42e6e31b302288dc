"""Slices of arrays by number, with noise."""
# refused: E1117
import numpy as np
import tensorflow as tf

x = np.arange(96 * 3, dtype='float32').reshape(96, 3) / 300
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.SGD(0.01)
batch_size = 8
for epoch in range(2):
    for i in range(0, len(x), batch_size):
        batch = x[i:i + batch_size]
        noisy = batch + 0.1 * np.random.randn(*batch.shape)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(noisy) - batch))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print('epoch', epoch)
