import tensorflow as tf
data = tf.data.Dataset.range(8).batch(2)
m = tf.keras.Sequential([])
m.compile('sgd', loss='mse')
m.compile(loss='mse')
o = tf.keras.optimizers.SGD(0.1)
m.compile(optimizer=o)
m.fit(data, epochs=2)
