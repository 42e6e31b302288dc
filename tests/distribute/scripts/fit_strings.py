"""compile and fit with names, arrays."""
# epochs: 2
import numpy as np
import tensorflow as tf

x = np.arange(45 * 3, dtype='float32').reshape(45, 3) / 100
y = (x.sum(axis=1) > 1.01).astype('float32')

model = tf.keras.models.Sequential()
model.add(tf.keras.layers.Dense(4, activation='relu'))
model.add(tf.keras.layers.Dense(1))
model.compile(optimizer='adam', loss='mse')
model.fit(x, y, epochs=2, batch_size=8)
print(model.evaluate(x, y, verbose=0))
