import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
opt = tf.keras.optimizers.SGD(0.1)
bad = 0
for x in tf.data.Dataset.range(9).shard(hvd.size(), hvd.rank()):
    with tf.GradientTape() as tape:
        loss = f(x)
    tape = hvd.DistributedGradientTape(tape)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    if loss > 3:
        bad += 1
    if bad > 2:  #! E1119
        break
