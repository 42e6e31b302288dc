import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
try:
    read()
except OSError:  #! E1119
    hvd.broadcast_object(None)
