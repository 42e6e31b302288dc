import tensorflow as tf
d = tf.data.Dataset.range(9)
x = f'{d.take(1)!r:{d.take(2)}}'
