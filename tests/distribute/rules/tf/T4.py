import tensorflow as tf
v = tf.Variable(1.0)
for x in tf.data.Dataset.range(8).batch(2):
    with tf.GradientTape() as tape:
        loss = f(x)
    v.assign_sub(0.1 * tape.gradient(loss, v))
