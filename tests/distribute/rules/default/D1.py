import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(a).map(g).shuffle(9).batch(3)
full = tf.data.Dataset.list_files('*.txt').shuffle(9)  #! W1106
held = full.take(5)
rest = full.skip(5).batch(2, drop_remainder=True)  #! W1107
for x in data.prefetch(1):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
for x in rest:
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
for x in held:
    f(x)
