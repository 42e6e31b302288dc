import tensorflow as tf
c = tf.train.Checkpoint(x=y)
d = c  #! E1111
e = tf.train.Checkpoint(x=y)  #! E1111
