import tensorflow as tf
d = tf.data.Dataset.range(9)
match 1:
    case _:
        d.take(1)
