import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
w = tf.summary.create_file_writer('d')
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    with w.as_default():
        tf.summary.scalar('loss', loss)
