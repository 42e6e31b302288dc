import tensorflow as tf
d = tf.data.Dataset.range(9)
f(**d.take(1))
