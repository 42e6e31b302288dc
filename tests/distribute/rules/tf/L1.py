import tensorflow as tf
opt = tf.keras.optimizers.SGD(momentum=0.9)  # the default rate
w = tf.keras.optimizers.RMSprop(rate + 1)
for x in tf.data.Dataset.range(8).batch(2):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    opt.learning_rate = 0.5
