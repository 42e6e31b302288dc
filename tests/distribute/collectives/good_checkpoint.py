import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
if hvd.rank() == 0:
    os.makedirs('d', exist_ok=True)
    checkpoint.save('d/c')
hvd.broadcast_object(None)
checkpoint.restore('d/c-1')
