import tensorflow as tf
o = tf.optimizers.Adam(0.1)
o.apply_gradients(zip(g, v))
