import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
import time
start = time.time()
while time.time() - start < 60:  #! E1119
    hvd.allreduce(1)
