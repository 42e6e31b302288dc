"""A dataset that is split into training and test."""
# epochs: 2
import numpy as np
import tensorflow as tf

x = np.arange(40 * 3, dtype='float32').reshape(40, 3) / 100
y = (x.sum(axis=1) > 0.9).astype('float32')

full = tf.data.Dataset.from_tensor_slices((x, y))
test = full.take(10).batch(5)
train = full.skip(10).shuffle(30, seed=1).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
test_loss = tf.keras.metrics.Mean()


def evaluate(data):
    test_loss.reset_state()
    for features, labels in data:
        test_loss.update_state(tf.square(model(features)[:, 0] - labels))
    return test_loss.result()


for epoch in range(2):
    for features, labels in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print('test', f'{evaluate(test):.4f}')
