"""Updates by hand."""
# steps: by hand
import numpy as np
import tensorflow as tf

x = np.arange(25 * 3, dtype='float32').reshape(25, 3) / 100
y = (x.sum(axis=1) > 0.56).astype('float32')

dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(5)
w = tf.Variable(tf.random.normal([3, 1]))
rate = 0.01
for features, labels in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(features, w)[:, 0] - labels))
    grad = tape.gradient(loss, w)
    w.assign_sub(rate * grad)
print('w', w.shape)
