import tensorflow as tf
from mine import make
m = tf.keras.Sequential([])
m.compile('sgd')
m.fit(x)
other = make()
other.compile(optimizer='sgd')  #! E1115
other.fit(x)
