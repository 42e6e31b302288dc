import tensorflow as tf
d = tf.data.Dataset.range(9)
x = [d.take(1) for x in d.take(2)]
