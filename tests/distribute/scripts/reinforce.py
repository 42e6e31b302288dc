"""An environment instead of data."""
# data: shared
import random

import numpy as np
import tensorflow as tf

random.seed(3)
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.Adam(0.01)


def play():
    states = [np.array([[random.random(), random.random()]]) for _ in range(4)]
    return np.concatenate(states)


for episode in range(6):
    states = play()
    with tf.GradientTape() as tape:
        scores = model(states)
        loss = -tf.reduce_mean(scores * states)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    if episode % 2 == 0:
        print('episode', episode)
