import tensorflow as tf
opt = tf.optimizers.SGD(0.1)


def step(x):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    return loss


for x in tf.data.Dataset.range(4):
    print('loss', step(x), f'{float(step(x)):.2f}')
    print('%s, %s' % (step(x),  # over lines
                      2),
          3)
