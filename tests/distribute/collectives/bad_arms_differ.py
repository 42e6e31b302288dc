import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
if hvd.rank() == 0:  #! E1119
    hvd.broadcast(x, 0)
    y = hvd.allreduce(x)
else:
    y = hvd.allreduce(x)
    hvd.broadcast(x, 0)
