import numpy as np
import tensorflow.compat.v1 as tf

np.random.seed(0)
x = tf.placeholder(tf.float32, [None, 784])
labels = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(x, 10)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
opt = tf.train.RMSPropOptimizer(0.001)
train_op = opt.minimize(loss)
config = tf.ConfigProto()
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(2000):
        chosen = np.random.randint(0, 60000, 100)
        sess.run(train_op, feed_dict={x: images[chosen], labels: digits[chosen]})
    print('loss', sess.run(loss, feed_dict={x: images[:100], labels: digits[:100]}))
