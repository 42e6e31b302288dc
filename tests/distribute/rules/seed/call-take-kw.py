import tensorflow as tf
d = tf.data.Dataset.range(9)
x = f(d.take(name=d.take(2), count=a or b))
