import tensorflow as tf
o = tf.optimizers.Adam(1 if c else 2, 0.8)
