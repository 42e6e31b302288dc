import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
for i in range(0, len(xs), 8):
    x = xs[i:i + 8]
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))  #! E1117
