import tensorflow as tf
opt = tf.optimizers.SGD(rate_of(3))  #! E1115
for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
