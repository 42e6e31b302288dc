import tensorflow as tf
opt = tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.CosineDecay(0.1, 1000))
for x in tf.data.Dataset.range(8).batch(2):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
