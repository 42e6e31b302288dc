import tensorflow as tf
w = tf.Variable(1.0)
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x, w)
    w.assign_sub(rate * tape.gradient(loss, w))
