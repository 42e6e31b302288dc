import tensorflow as tf
data = tf.data.Dataset.range(9).batch(size + 1)
m = tf.keras.Sequential([])
m.compile(optimizer='adam')
m.fit(data)
m.fit(x, y)
m.fit(x, y=y, batch_size=7)
m.fit(data, validation_data=(v, w), validation_batch_size=6)  #! W1107
m.fit(data, validation_data=tf.data.Dataset.range(7).batch(3))  #! W1107
m.evaluate(v, w)  #! W1107
