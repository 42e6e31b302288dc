import tensorflow as tf
opt = tf.keras.optimizers.SGD(0.1)


@tf.function
def train(data):
    for x in data:  #! E1122
        with tf.GradientTape() as tape:
            loss = f(x)
        opt.apply_gradients(zip(tape.gradient(loss, v), v))


train(tf.data.Dataset.range(4).batch(2))
