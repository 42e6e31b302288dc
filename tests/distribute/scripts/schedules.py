"""A schedule, and piecewise rates."""
# epochs: 2
import numpy as np
import tensorflow as tf

x = np.arange(30 * 3, dtype='float32').reshape(30, 3) / 100
y = (x.sum(axis=1) > 0.68).astype('float32')

dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, decay_steps=10, decay_rate=0.9)
steps = tf.keras.optimizers.schedules.PiecewiseConstantDecay([4, 8], [0.1, 0.05, 0.01])
one = tf.keras.Sequential([tf.keras.layers.Dense(1)])
two = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt1 = tf.keras.optimizers.SGD(schedule)
opt2 = tf.keras.optimizers.SGD(learning_rate=steps)


def update(model, opt, features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(2):
    for features, labels in dataset:
        update(one, opt1, features, labels)
        update(two, opt2, features, labels)
