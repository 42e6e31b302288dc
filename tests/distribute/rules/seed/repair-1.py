import tensorflow as tf
x = tf.data.Dataset.range(3)
f(x.take(2))
