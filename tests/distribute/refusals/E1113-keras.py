import tensorflow as tf
m = tf.keras.Sequential([])
m.compile(optimizer='adam')
m.fit(x, y, validation_split=0.1)  #! E1113
print(m.predict(z))  #! E1113
