"""A script."""
from __future__ import annotations
import os
import tensorflow as tf  # here
from os import path
os.environ['CUDA_VISIBLE_DEVICES'] = '0'
hvd = gpus = 1  # taken
norm = tf.keras.layers.BatchNormalization()  #! W1105
opt = tf.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
