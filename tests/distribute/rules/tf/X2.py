import tensorflow as tf

opt = tf.keras.optimizers.SGD(0.1)
m = tf.keras.Sequential([])
data = tf.data.Dataset.from_tensor_slices((a, b)).batch(8)
mean = tf.keras.metrics.Mean()


def step(x, y, w=None):
    with tf.GradientTape() as tape:
        loss = f(m(x), y)
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
    mean(loss)
    return loss, mean.result()


@tf.function(reduce_retracing=True)  # one trace
def traced(x, y, o):
    with tf.GradientTape() as tape:
        loss = f(m(x), y)
    grads = tape.gradient(loss, m.trainable_variables)
    o.apply_gradients(zip(grads, m.trainable_variables))
    return loss


class Trainer:
    def __init__(self):
        self.opt = tf.keras.optimizers.Adam(0.1)  #! W1104

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = f(m(x))
        grads = tape.gradient(loss, m.trainable_variables)
        self.opt.apply_gradients(zip(grads, m.trainable_variables))

    def train(self):
        for x in data:
            self.step(x)


Trainer().train()
losses = []
for i, (x, y) in enumerate(data):
    step(x, y, w=2)
    print(i)
for x, y in data:
    loss, so_far = step(x, y)
    losses.append(float(loss))
for batch in data:
    losses.append(traced(batch[0], batch[1], opt))
for i, batch in enumerate(data):
    x, y = batch
    x = x / 255  # what one replica does with its part
    with tf.GradientTape() as tape:
        loss = f(m(x), y)
    if i > 2:
        mean.update_state(loss)

    grads = tape.gradient(loss, m.trainable_variables)
    opt.apply_gradients(zip(grads, m.trainable_variables))
    losses.append(loss)
    if loss < 0.1:
        break
