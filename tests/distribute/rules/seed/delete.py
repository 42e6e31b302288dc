import tensorflow as tf
d = tf.data.Dataset.range(9)
del x[d.take(1)]
