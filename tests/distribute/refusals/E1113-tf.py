import tensorflow as tf
opt = tf.keras.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(4):  #! E1113
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
