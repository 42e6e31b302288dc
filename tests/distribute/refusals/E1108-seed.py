import tensorflow as tf
if x:
    o = tf.optimizers.Adam(0.1)  #! E1108
