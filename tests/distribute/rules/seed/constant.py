import tensorflow as tf
d = tf.data.Dataset.range(9)
x = [None, 1, 2.5, 3j, 's', b'b', True, (1, 2), ...]
