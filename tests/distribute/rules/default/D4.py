import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
d = tf.data.Dataset.range(9).repeat().batch(2)
for x in d.take(steps + 1):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
it = iter(d)
for i in range(100):
    x = next(it)
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
