import tensorflow as tf
import horovod.tensorflow as hvd  #! E1114
hvd.init()
opt = tf.optimizers.SGD(0.1 * hvd.size())
for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
