import tensorflow as tf
d = tf.data.Dataset.range(9)
match 1:
    case [1] as x:
        d.take(1)
