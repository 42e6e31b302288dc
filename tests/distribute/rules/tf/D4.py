import tensorflow as tf
opt = tf.keras.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(90).take(50).batch(2).take(7):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
it = iter(tf.data.Dataset.range(90).repeat().batch(2))
for i in range(100):
    x = next(it)
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
