import tensorflow as tf
d = tf.data.Dataset.range(9)
match 1:
    case C(1, k=x):
        d.take(1)
