import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
loss = hvd.allreduce(f())
if hvd.rank() == 0:
    print(loss)
