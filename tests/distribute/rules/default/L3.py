# options: --warmup=500
import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
other = tf.optimizers.RMSprop(rate + 1)
last = tf.optimizers.Adagrad()
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
