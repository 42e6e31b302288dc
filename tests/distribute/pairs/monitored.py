import tensorflow as tf

v1 = tf.compat.v1
data = tf.data.Dataset.from_tensor_slices(images).repeat().batch(64)
batch = v1.data.make_one_shot_iterator(data).get_next()
step = v1.train.get_or_create_global_step()
train_op = v1.train.AdagradOptimizer(0.01).minimize(network(batch), global_step=step)
hooks = [
    v1.train.StopAtStepHook(last_step=20000),
    v1.train.LoggingTensorHook(tensors={'step': step}, every_n_iter=10),
]
config = v1.ConfigProto()
with v1.train.MonitoredTrainingSession(checkpoint_dir='checkpoints', hooks=hooks,
                                       config=config) as session:
    while not session.should_stop():
        session.run(train_op)
