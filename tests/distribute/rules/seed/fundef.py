import tensorflow as tf
d = tf.data.Dataset.range(9)
@g(d.take(1))
def f(x=d.take(2)) -> d.take(3):
    return d.take(4)
