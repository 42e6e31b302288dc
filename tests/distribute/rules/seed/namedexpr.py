import tensorflow as tf
d = tf.data.Dataset.range(9)
f(x := d.take(1))
