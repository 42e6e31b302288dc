import tensorflow as tf
d = tf.data.Dataset.range(9)
while d.take(1): break
