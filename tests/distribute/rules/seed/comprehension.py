import tensorflow as tf
d = tf.data.Dataset.range(9)
x = [1 for y[d.take(1)] in d.take(2) if d.take(3) if d.take(4)]
