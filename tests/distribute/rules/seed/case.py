import tensorflow as tf
d = tf.data.Dataset.range(9)
match 1:
    case x if d.take(1):
        d.take(2)
