# options: --workers=2
import tensorflow as tf
opt = tf.keras.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(8).batch(2):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    print(loss)
m = tf.keras.metrics.Mean()
print(f'{m.result():.3f}')
