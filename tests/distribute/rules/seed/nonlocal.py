import tensorflow as tf
d = tf.data.Dataset.range(9)
def f():
    x = 1
    def g():
        nonlocal x
        x = d.take(1)
