import tensorflow as tf
d = tf.data.Dataset.range(9)
for x[d.take(1)] in d.take(2):
    f(d.take(3))
else:
    f(d.take(4))
