import tensorflow as old, tensorflow as tf, os  # the last wins
o = tf.optimizers.Adam(0.1)
