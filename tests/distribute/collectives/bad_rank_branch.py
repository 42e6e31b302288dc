import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
loss = f()
if hvd.rank() == 0:  #! E1119
    loss = hvd.allreduce(loss)
    print(loss)
