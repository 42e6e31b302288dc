import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
for step, x in enumerate(tf.data.Dataset.range(99).shard(hvd.size(), hvd.rank()).take(8)):
    with tf.GradientTape() as tape:
        loss = f(x)
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, v)
    opt.apply_gradients(zip(grads, v))
    if step == 0:
        hvd.broadcast_variables(v, root_rank=0)
    mean = hvd.allreduce(loss)
    if mean < 0.1:
        break
