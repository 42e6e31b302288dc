import tensorflow as tf
d = tf.data.Dataset.range(9)
def f():
    x = yield d.take(1)
