import tensorflow as tf
o = tf.optimizers.Adam(0.1)
r = o.apply_gradients(zip(g, v))
f(o.apply_gradients(zip(g, v)))  #! E1109
