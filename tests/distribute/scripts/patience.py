"""The best weights are kept in memory, and training stops when they are old."""
# epochs: 4
# data: stops
import numpy as np
import tensorflow as tf

x = np.arange(44 * 3, dtype='float32').reshape(44, 3) / 100
y = x.sum(axis=1)
train = tf.data.Dataset.from_tensor_slices((x[:33], y[:33])).shuffle(33).batch(4)
valid = tf.data.Dataset.from_tensor_slices((x[33:], y[33:])).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.005)
mse = tf.keras.losses.MeanSquaredError()
best, wait, patience = np.inf, 0, 2
for epoch in range(4):
    for features, labels in train:
        with tf.GradientTape() as tape:
            loss = mse(labels, model(features)[:, 0])
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    val_loss = np.mean([float(mse(b, model(a)[:, 0])) for a, b in valid])
    if val_loss < best:
        best, wait = val_loss, 0
        best_weights = model.get_weights()
    else:
        wait += 1
        if wait >= patience:
            print('stop')
            break
model.set_weights(best_weights)
print('end', epoch >= 0)
