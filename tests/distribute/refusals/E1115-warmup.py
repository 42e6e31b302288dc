import tensorflow as tf
m = tf.keras.Sequential([])
m.compile(optimizer=tf.keras.optimizers.SGD(0.1))
m.fit(x, y, callbacks=[tf.keras.callbacks.ReduceLROnPlateau()])  #! E1115
