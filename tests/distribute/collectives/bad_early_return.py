import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
def report(x):
    if hvd.rank() != 0:  #! E1119
        return
    print(hvd.allreduce(x))


report(1)
