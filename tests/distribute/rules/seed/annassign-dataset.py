import tensorflow as tf
a: object = tf.data.Dataset.range(9)
for x in a.take(4): pass
