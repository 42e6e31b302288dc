import tensorflow as tf
o = tf.optimizers.Adam(0.1)
r = o.apply_gradients(grads_and_vars=z)
