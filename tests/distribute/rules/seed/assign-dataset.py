import tensorflow as tf
a = tf.data.Dataset.range(9).batch(3)
b = tf.data.Dataset.from_tensor_slices(a.take(2))
for x in a.take(4), b.take(6): pass
