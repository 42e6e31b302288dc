import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
it = iter(tf.data.Dataset.range(9).repeat())
loss = 9
while loss > 1:  #! E1113
    x = next(it)
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
