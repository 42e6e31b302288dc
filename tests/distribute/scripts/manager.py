"""A checkpoint manager, a restored step, a folder that is made."""
# epochs: 3
import os

import numpy as np
import tensorflow as tf

x = np.arange(37 * 3, dtype='float32').reshape(37, 3) / 100
y = (x.sum(axis=1) > 0.83).astype('float32')

data = tf.data.Dataset.from_tensor_slices((x, y)).batch(6)
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.01)
first = tf.Variable(0, dtype='int64')
checkpoint = tf.train.Checkpoint(step=first, optimizer=opt, net=net)
manager = tf.train.CheckpointManager(checkpoint, 'ckpts', max_to_keep=3)
checkpoint.restore(manager.latest_checkpoint)
if manager.latest_checkpoint:
    print('restored', manager.latest_checkpoint)
else:
    print('from scratch')
os.makedirs('out')

for epoch in range(int(first), 3):
    for features, labels in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(features)[:, 0] - labels))
        grads = tape.gradient(loss, net.trainable_variables)
        opt.apply_gradients(zip(grads, net.trainable_variables))
    first.assign_add(1)
    path = manager.save()
    print('saved', path)
with open('out/result.txt', 'w') as out:
    out.write('finished')
