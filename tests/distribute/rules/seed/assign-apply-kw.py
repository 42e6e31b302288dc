import tensorflow as tf
o = tf.optimizers.Adam(0.1)
r = o.apply_gradients(name='n', grads_and_vars=zip(g, v))  # a step
