import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
import os
if int(os.environ['LOCAL_RANK']) == 0:  #! E1119
    hvd.broadcast_variables(v, 0)
