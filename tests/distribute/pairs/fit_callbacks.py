import tensorflow as tf

BATCH = 64
data = tf.data.Dataset.from_tensor_slices((features, labels))
data = data.shuffle(10000, seed=3).batch(BATCH)
model = tf.keras.applications.ResNet50(weights=None)
opt = tf.keras.optimizers.SGD(learning_rate=0.01, momentum=0.9)
model.compile(optimizer=opt, loss='sparse_categorical_crossentropy')
callbacks = [
    tf.keras.callbacks.ModelCheckpoint('model-{epoch}.keras'),
    tf.keras.callbacks.ReduceLROnPlateau(monitor='loss'),
]
model.fit(data, epochs=90, callbacks=callbacks, verbose=1)
