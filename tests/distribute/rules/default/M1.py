import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
m = tf.keras.metrics.Mean()
t = tf.keras.metrics.Mean()
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    m(loss)
    if loss > 3:
        print('here', m.result())
t.update_state(f(y))
print(f'{m.result():.3f}', t.result(), m.result().numpy())
