import tensorflow as tf
d = tf.data.Dataset.range(9)
x = (d.take(1) if d.take(2) else
     d.take(3))
