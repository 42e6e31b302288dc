import tensorflow as tf
data = tf.data.Dataset.range(9).batch(size + 1)
m = tf.keras.Sequential([])
m.compile(optimizer='adam')
m.fit(data)
m.fit(x, y)
m.fit(x, y=y, batch_size=7)
