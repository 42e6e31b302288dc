import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
np.random.seed(1)
x = tf.placeholder(tf.float32, [None, 3])
rate = tf.train.exponential_decay(0.1, steps, 1000, 0.9)
one = tf.train.GradientDescentOptimizer(rate).minimize(f(x))
optimizer = tf.train.AdamOptimizer(learning_rate=0.01)  #! W1104
two = optimizer.minimize(g(x))
saver = tf.train.Saver()
init = tf.global_variables_initializer()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True  # memory
with tf.Session(config=config) as sess:
    sess.run(init)
    for step in range(1000):
        batch = np.random.rand(5, 3)
        _, loss = sess.run([one, f(x)], feed_dict={x: batch})
        sess.run(two, feed_dict={x: batch})
        if loss < 0.1:
            break
    print(sess.run(f(x), feed_dict={x: batch}))
    saver.save(sess, 'model')
