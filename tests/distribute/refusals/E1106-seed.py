import tensorflow as tf
d = tf.data.Dataset.range(3)
e = d  #! E1106
o = tf.optimizers.Adam()
p = tf.optimizers.Adam()  #! E1106
