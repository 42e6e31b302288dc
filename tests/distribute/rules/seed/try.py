import tensorflow as tf
d = tf.data.Dataset.range(9)
try:
    f(d.take(1))
except g(d.take(2)) as e:
    f(d.take(3))
else:
    f(d.take(4))
finally:
    f(d.take(5))
