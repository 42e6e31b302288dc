import tensorflow as tf
d = tf.data.Dataset.range(9)
x = [d, tf]
