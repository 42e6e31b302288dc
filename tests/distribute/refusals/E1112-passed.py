import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
def take(tape, loss):
    return tape.gradient(loss, v)


for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(take(tape, loss), v))  #! E1112
