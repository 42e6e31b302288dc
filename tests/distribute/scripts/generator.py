"""Data from a generator: nobody knows how many."""
import numpy as np
import tensorflow as tf


def samples():
    for i in range(33):
        yield np.array([i, i + 1.0, i * 2.0]) / 30, float(i % 2)


dataset = tf.data.Dataset.from_generator(samples, output_types=(tf.float32, tf.float32))
dataset = dataset.batch(5).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.RMSprop(learning_rate=0.01)
for features, labels in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(grads_and_vars=zip(grads, model.trainable_variables))
print("end")
