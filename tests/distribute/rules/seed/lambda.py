import tensorflow as tf
d = tf.data.Dataset.range(9)
x = lambda a=d.take(1): d.take(2)
