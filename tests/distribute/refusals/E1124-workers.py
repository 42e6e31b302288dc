import tensorflow as tf
opt = tf.keras.optimizers.SGD(0.1)
m = tf.keras.Sequential([])
for x in tf.data.Dataset.range(4).batch(2):
    with tf.GradientTape() as tape:
        loss = f(m(x))
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
m.save_weights('w')  #! E1124
m.load_weights('w')
