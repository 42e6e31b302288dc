import tensorflow as tf
d = tf.data.Dataset.range(9)
a = f; d2 = 1
f(d.take(1))
