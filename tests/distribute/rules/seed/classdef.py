import tensorflow as tf
d = tf.data.Dataset.range(9)
@g(d.take(1))
class C(d.take(2), k=d.take(3)):
    x = d.take(4)
