import tensorflow as tf
d = tf.data.Dataset.range(9)
x = 1, d.take(2)
