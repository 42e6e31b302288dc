import tensorflow as tf
d = tf.data.Dataset.range(9)
assert d.take(1), d.take(2)
