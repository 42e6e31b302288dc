import tensorflow as tf
d = tf.data.Dataset.range(3)
d = d.batch(2)
d = 7  #! E1107
