import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
if hvd.rank() == 0:
    x = hvd.broadcast_object(read())
else:
    x = hvd.broadcast_object(None)
