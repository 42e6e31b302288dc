import os
os.environ['KERAS_BACKEND'] = 'torch'  #! E1120
import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(4).batch(2):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))  #! E1120
