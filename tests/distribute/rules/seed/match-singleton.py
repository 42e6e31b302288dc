import tensorflow as tf
d = tf.data.Dataset.range(9)
match 1:
    case None:
        d.take(1)
