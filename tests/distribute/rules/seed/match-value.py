import tensorflow as tf
d = tf.data.Dataset.range(9)
match 1:
    case a.b:
        d.take(2)
