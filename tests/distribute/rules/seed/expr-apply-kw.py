import tensorflow as tf
o = tf.optimizers.Adam(0.1)
def f():
  o.apply_gradients(grads_and_vars=zip(g, v)); f()
