import tensorflow as tf
c = tf.train.Checkpoint(step=1)
p = c.save('x')
