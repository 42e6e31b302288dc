import tensorflow as tf
c = tf.train.Checkpoint(step=1)
c.save('x')
