import tensorflow as tf
d = tf.data.Dataset.range(9)
match d.take(1):
    case 1:
        f(d.take(2))
