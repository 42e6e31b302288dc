import tensorflow as tf
d = tf.data.Dataset.range(9)
if d.take(1):
    f(d.take(2))
elif d.take(3):
    f(d.take(4))
else:
    f(d.take(5))
