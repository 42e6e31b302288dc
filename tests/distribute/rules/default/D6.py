import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
bad = 0
for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    if loss < 0.1: break
    if loss > best:
        bad += 1
    if bad > 3 and True:
        raise SystemExit
    if loss > best:
        best = loss  # nobody waits for this
    if loss < last:
        tf.keras.Sequential([]).save_weights('w')  # read below
tf.keras.Sequential([]).load_weights('w')
