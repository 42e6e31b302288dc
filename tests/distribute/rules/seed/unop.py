import tensorflow as tf
d = tf.data.Dataset.range(9)
x = not -d.take(1)
