import tensorflow as tf  #! E1117
opt = tf.keras.optimizers.SGD(0.1)
for i in range(9):
    with tf.GradientTape() as tape:
        loss = f(i)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
