import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = f(x)
        grads = tape.gradient(loss, v)  #! E1112
    opt.apply_gradients(zip(grads, v))
