import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(4):
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            y = f(x)
        slope = inner.gradient(y, x)
        loss = y + slope
    grads = [tf.clip_by_value(g, -1, 1) for g in outer.gradient(loss, v)]
    opt.apply_gradients(zip(grads, v))
    with tf.GradientTape() as other:
        z = f(x)
    saliency = other.gradient(z, x)
