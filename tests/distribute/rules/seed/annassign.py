import tensorflow as tf
d = tf.data.Dataset.range(9)
x[d.take(1)]: d.take(2) = d.take(3)
