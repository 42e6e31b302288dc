import tensorflow as tf
o = tf.optimizers.Adam()
