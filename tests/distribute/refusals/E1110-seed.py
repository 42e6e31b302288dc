import tensorflow as tf


def f():
    o.apply_gradients(zip(g, v))  #! E1110


o = tf.optimizers.Adam(0.1)
