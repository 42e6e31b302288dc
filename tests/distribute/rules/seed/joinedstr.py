import tensorflow as tf
d = tf.data.Dataset.range(9)
x = f'a{d.take(1)}' 'b'
