import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(9):
    opt.minimize(lambda: f(x), v)  #! E1118
