import tensorflow as tf
import horovod.tensorflow.keras as hvd
hvd.init()
model = tf.keras.Sequential([])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())))
if hvd.rank() == 0:  #! E1119
    model.fit(x, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])
