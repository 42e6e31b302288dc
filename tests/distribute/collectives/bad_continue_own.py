import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
opt = tf.keras.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(9):
    loss = f(x)
    if loss > 3:  #! E1119
        continue
    opt.apply_gradients(g(x))
    hvd.allreduce(loss)
