"""One process with batches of 10, and two replicas with batches of 5, compute the same: with a
plain step, a clipped one, one by hand, and `fit` (real.py)."""
import os

import numpy as np
import tensorflow as tf
x = np.arange(120, dtype='float32').reshape(40, 3) / 100
y = (x.sum(axis=1, keepdims=True) * 3).astype('float32')
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(int(os.environ['BATCH']))
model = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer='ones'),
                             tf.keras.layers.Dense(1, kernel_initializer='ones')])
optimizer = tf.keras.optimizers.SGD(0.01)
w = tf.Variable(tf.ones([3, 1]))
mean = tf.keras.metrics.Mean()
for a, b in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    mean(loss)
for a, b in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    grads = tape.gradient(loss, model.trainable_variables)
    grads, _ = tf.clip_by_global_norm(grads, 0.5)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
for a, b in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(a, w) - b))
    w.assign_sub(0.01 * tape.gradient(loss, w))
model.compile(optimizer=tf.keras.optimizers.SGD(0.01), loss='mse')
model.fit(data, epochs=2, verbose=0)
values = [float(loss), float(mean.result())]
for v in [*model.trainable_variables, w]:
    values.extend(v.numpy().ravel())
print('values', ' '.join(f'{v:.3f}' for v in values))
