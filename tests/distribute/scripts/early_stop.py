"""The loss of one process ends the training of all."""
# epochs: 20
# data: stops
import numpy as np
import tensorflow as tf

x = np.arange(23 * 3, dtype='float32').reshape(23, 3) / 100
y = (x.sum(axis=1) > 0.52).astype('float32')

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(30, seed=1).batch(5)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
best, waited = 1e9, 0

for epoch in range(20):
    total = 0.0
    for features, labels in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        total += float(loss)
        if loss > 1e6:
            raise ValueError('diverged')
    if total < best - 0.001:
        best, waited = total, 0
    else:
        waited += 1
    if waited > 1:
        print('stopped at', epoch)
        break
