"""Raw variables and no model."""
import numpy as np
import tensorflow as tf

x = np.arange(29 * 3, dtype='float32').reshape(29, 3) / 100
y = (x.sum(axis=1) > 0.65).astype('float32')

dataset = tf.data.Dataset.from_tensor_slices((x, y)).repeat(2).batch(6)
w = tf.Variable(tf.random.normal([3, 1]))
b = tf.Variable(tf.zeros([1]))
optimizer = tf.optimizers.SGD(0.01)


def run(features, labels):
    with tf.GradientTape() as g:
        loss = tf.reduce_mean(tf.square(tf.matmul(features, w)[:, 0] + b - labels))
    variables = [w, b]
    gradients = g.gradient(loss, variables)
    optimizer.apply_gradients(list(zip(gradients, variables)))
    return loss


for step, (features, labels) in enumerate(dataset, 1):
    loss = run(features, labels)
    if step % 3 == 0:
        print("step: %i, loss: %f" % (step, loss))
