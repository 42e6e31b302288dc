"""An optimizer object, a dataset, callbacks in a list, a validation set."""
# epochs: 3
import numpy as np
import tensorflow as tf

x = np.arange(43 * 3, dtype='float32').reshape(43, 3) / 100
y = (x.sum(axis=1) > 0.97).astype('float32')

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(50, seed=5).batch(6)
valid = tf.data.Dataset.from_tensor_slices((x[:10], y[:10])).batch(5)
sgd = tf.keras.optimizers.SGD(learning_rate=0.02, momentum=0.5)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation='sigmoid')])
model.compile(loss=tf.keras.losses.BinaryCrossentropy(), optimizer=sgd, metrics=['accuracy'])
callbacks = [tf.keras.callbacks.ModelCheckpoint('best-{epoch}.keras'),
             tf.keras.callbacks.EarlyStopping(monitor='loss', patience=1)]
callbacks.append(tf.keras.callbacks.CSVLogger('log.csv'))
model.fit(train, epochs=3, callbacks=callbacks, validation_data=valid, verbose=2)
