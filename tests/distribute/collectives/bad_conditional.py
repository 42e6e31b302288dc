import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
x = hvd.allreduce(y) if hvd.rank() == 0 else y  #! E1119
