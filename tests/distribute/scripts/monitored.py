"""A monitored session of TensorFlow 1, with a dataset and a hook that stops it."""
# real: only b
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
v1.disable_v2_behavior()
x = np.arange(33 * 3, dtype='float32').reshape(33, 3) / 100
data = tf.data.Dataset.from_tensor_slices(x).repeat().batch(4)
batch = v1.data.make_one_shot_iterator(data).get_next()
w = v1.get_variable('w', [3, 1])
loss = tf.reduce_mean(tf.square(tf.matmul(batch, w) - 1.0))
step = v1.train.get_or_create_global_step()
train = v1.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
hooks = [v1.train.StopAtStepHook(last_step=12)]
with v1.train.MonitoredTrainingSession(checkpoint_dir='logs', hooks=hooks) as session:
    while not session.should_stop():
        _, final_weights = session.run([train, w])
print('trained')
