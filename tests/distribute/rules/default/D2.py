import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
for x in tf.data.TFRecordDataset('a').batch(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
d = tf.data.Dataset.range(9).filter(p).batch(2)
for x in d:
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
