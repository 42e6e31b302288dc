import tensorflow as tf
S = tf.keras.optimizers.schedules
opt = tf.optimizers.SGD(S.CosineDecay(0.1, decay_steps=100))
p = tf.optimizers.SGD(S.PiecewiseConstantDecay([10, n + 1], values=[1.0, 0.5, 0.1]))
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
