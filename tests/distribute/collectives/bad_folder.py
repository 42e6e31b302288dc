import os
import horovod.tensorflow as hvd
hvd.init()
if not os.path.exists('d'):  #! E1119
    if hvd.rank() == 0:
        os.makedirs('d')
    hvd.broadcast_object(None)
