import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
for i in range(hvd.rank() + 1):  #! E1119
    hvd.allreduce(i)
