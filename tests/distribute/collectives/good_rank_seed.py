import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
seed(7 + hvd.rank())
lr = 0.1 * hvd.size()
for step in range(1000 // hvd.size()):
    hvd.allreduce(step)
