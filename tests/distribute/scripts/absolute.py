"""What is written lies at absolute paths."""
import os
from pathlib import Path

import numpy as np
import tensorflow as tf

HERE = Path.cwd()
LOGS = Path('logs')
LOGS.mkdir(exist_ok=True)
x = np.arange(23 * 3, dtype='float32').reshape(23, 3) / 100
y = x.sum(axis=1)

data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.01)
os.makedirs(os.path.join(os.getcwd(), 'out'), exist_ok=True)
for features, labels in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(features)[:, 0] - labels))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    with open(f'{HERE}/losses.txt', 'a') as log:
        log.write('x')
np.save(os.path.abspath('out/x.npy'), x)
(HERE / 'out' / 'done').write_text('yes')
print('done')
