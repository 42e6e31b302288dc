import tensorflow as tf
o = tf.optimizers.Adam(beta_1=0.8, learning_rate=a + b)
