import tensorflow as tf
d = tf.data.Dataset.range(9)
with f(d.take(1)), g:
    x = d.take(2)
