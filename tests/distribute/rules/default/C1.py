import os
import numpy as np
import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
m = tf.keras.Sequential([])
if not os.path.exists('d'):
    os.makedirs('d')
with open('d/log', 'w') as log, open('d/in') as source:
    log.write('x')
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
path = tf.train.Checkpoint(m=m).save('d/c')
m.save_weights('w')
m.load_weights('w')
np.save('a.npy', x); done = 1
use(path)
