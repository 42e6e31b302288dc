import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
n = hvd.rank()
while n > 0:  #! E1119
    n -= 1
    hvd.allreduce(n)
