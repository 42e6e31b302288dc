import tensorflow as tf
o = tf.optimizers.Adam(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.5))  #! W1103
