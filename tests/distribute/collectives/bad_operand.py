import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
hvd.rank() == 0 and print(hvd.allreduce(y))  #! E1119
