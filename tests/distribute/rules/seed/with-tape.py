import tensorflow as tf
with tf.GradientTape() as t:
    a = 1
    # the end
b = 2
