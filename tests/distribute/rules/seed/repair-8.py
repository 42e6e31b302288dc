import tensorflow as tf
with tf.GradientTape() as t: a = 1
with tf.GradientTape() as t:
    b = 2
    with tf.GradientTape() as u: c = 3
