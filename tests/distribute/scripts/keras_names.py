"""Aliases of modules and classes."""
# epochs: 2
import numpy as np
import tensorflow as tf

x = np.arange(26 * 3, dtype='float32').reshape(26, 3) / 100
y = (x.sum(axis=1) > 0.58).astype('float32')

K = tf.keras
Adam = K.optimizers.Adam
Tape = tf.GradientTape
Data = tf.data.Dataset
data = Data.from_tensor_slices((x, y))
data = data.batch(4)
net = K.Sequential([K.layers.Dense(1)])
opt = Adam(learning_rate=2e-3)
for epoch in range(2):
    for features, labels in data:
        with Tape() as tape:
            loss = K.losses.MeanSquaredError()(labels, net(features))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables),
                                net.trainable_variables))
print('ok')
