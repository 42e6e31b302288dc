"""Fits a line with a tape: the shape of the seed."""
# rules: seed
# data: shared
import numpy as np
import tensorflow as tf  # the one framework

# the data
points = np.arange(192, dtype='float32').reshape(64, 3) / 100
dataset = tf.data.Dataset.from_tensor_slices(points).shuffle(64, seed=1).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation='relu'),
                             tf.keras.layers.Dense(1)])
optimizer = tf.optimizers.Adam(0.01)
ckpt = tf.train.Checkpoint(model=model)


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))  # one step
    return loss


for number, batch in enumerate(dataset.take(12)):
    loss = step(batch)
    if number % 5 == 0: print('step', number,
                              f'{loss:.3f}')
ckpt.save('out/ck')
