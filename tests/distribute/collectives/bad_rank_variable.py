import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
me = hvd.rank()
first = me == 0
if first:  #! E1119
    hvd.broadcast_variables(v, root_rank=0)
