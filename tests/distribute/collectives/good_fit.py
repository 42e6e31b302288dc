import tensorflow as tf
import horovod.tensorflow.keras as hvd
hvd.init()
model = tf.keras.Sequential([])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())))
calls = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
if hvd.rank() == 0:
    calls.append(log)
model.fit(x, callbacks=calls, verbose=1 if hvd.rank() == 0 else 0)
