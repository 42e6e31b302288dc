import tensorflow as tf
o1 = tf.keras.optimizers.SGD(0.1)
o2 = tf.keras.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(8).batch(2):
    with tf.GradientTape(persistent=True) as a, tf.GradientTape() as b:
        one, two = f(x), g(x)
    o1.apply_gradients(zip(a.gradient([one, two], v), v))
    o2.apply_gradients(zip(b.gradient(two, w), w))
for x in tf.data.Dataset.range(8).batch(2):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = f(x)
        penalty = inner.gradient(y, x)
        loss = y + penalty
        grads = outer.gradient(loss, v)
    o1.apply(grads, v)
for x in tf.data.Dataset.range(8).batch(2):
    with tf.GradientTape() as tape:
        loss = f(x)
    grads = [tf.clip_by_norm(g, 1.0) for g in tape.gradient(loss, v)]
    o1.apply_gradients(zip(grads, v))
