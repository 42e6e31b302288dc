import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = f(x)
    print(opt.apply_gradients(zip(tape.gradient(loss, v), v)))  #! E1109
