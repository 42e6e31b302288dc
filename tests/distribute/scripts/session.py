"""A session of TensorFlow 1: batches are drawn at random, rank 0 saves."""
# real: only b
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
np.random.seed(7)
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable('w', [3, 1])
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(20):
        features = np.random.rand(5, 3).astype('float32')
        labels = features.sum(axis=1, keepdims=True)
        _, value = sess.run([train, loss], feed_dict={x: features, y: labels})
        if value < 1e-6:
            break
    print('loss', value.shape)
    saver.save(sess, 'model')
    final_weights = sess.run(tf.trainable_variables())
