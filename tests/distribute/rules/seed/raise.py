import tensorflow as tf
d = tf.data.Dataset.range(9)
raise f(d.take(1)) from d.take(2)
