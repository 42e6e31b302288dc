import tensorflow as tf
v1 = tf.compat.v1
data = tf.data.Dataset.range(90).repeat().batch(5)
x = v1.data.make_one_shot_iterator(data).get_next()
step = v1.train.get_or_create_global_step()
train = v1.train.MomentumOptimizer(0.1, 0.9).minimize(f(x), global_step=step)
hooks = [v1.train.StopAtStepHook(last_step=2000)]
with v1.train.MonitoredTrainingSession(checkpoint_dir='out',
                                       hooks=hooks) as session:
    while not session.should_stop():
        session.run(train)
with v1.train.MonitoredTrainingSession() as session:
    session.run(train)
