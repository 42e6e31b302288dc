import tensorflow as tf
d = tf.data.Dataset.range(9)
x = a and d.take(1) or d.take(2)
