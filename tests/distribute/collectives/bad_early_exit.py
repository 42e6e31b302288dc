import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
import sys
if hvd.rank() > 3:  #! E1119
    sys.exit()
hvd.allreduce(1)
