import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
data = tf.data.Dataset.range(9).shard(hvd.size(), hvd.rank())
opt = tf.keras.optimizers.SGD(0.1)
for x in data:
    with tf.GradientTape() as tape:
        loss = f(x)
    tape = hvd.DistributedGradientTape(tape)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    if loss < 0.1:  #! E1119
        break
