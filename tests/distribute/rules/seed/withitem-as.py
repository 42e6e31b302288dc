import tensorflow as tf
d = tf.data.Dataset.range(9)
with d.take(1) as x[d.take(2)]: pass
