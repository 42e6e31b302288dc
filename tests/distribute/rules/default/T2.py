import tensorflow as tf
a, b = tf.optimizers.SGD(0.1), tf.optimizers.SGD(0.2)
broadcast_done = 'taken'


def step(x, opt, v):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))


for x in tf.data.Dataset.range(4):
    step(x, a, v)
    step(x, b, w)
    with tf.GradientTape() as tape:
        loss = f(x)
    grads = tape.gradient(loss, v)
    r = a.apply_gradients(grads_and_vars=zip(grads, v), name='n')  # a step
    b.apply(grads, v)
