import tensorflow as tf
opt = tf.keras.optimizers.SGD(0.1)
m = tf.keras.Sequential([])
data = tf.data.Dataset.range(4).batch(2)
total, outputs = 0, []


def step(x):
    with tf.GradientTape() as tape:
        out = m(x)
        loss = f(out)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    print(loss)  #! E1124
    return out  #! E1124


@tf.function
def traced(x):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    return loss


class Trainer:
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = f(x)
        opt.apply_gradients(zip(tape.gradient(loss, v), v))
        self.loss = loss  #! E1124


trainer = Trainer()
for x in data:
    outputs.append(step(x))
for x in data:
    traced(x / 255)  #! E1124
for x in data:
    y = x / 255  #! E1124
    traced(y)
for x in data:
    traced(x)
    mean = tf.reduce_mean(x)  #! E1124
for x in data:
    trainer.step(x)
for x in data:
    with tf.GradientTape() as tape:
        loss = f(x)
    total += len(x)  #! E1124
    outputs.append(m(x))  #! E1124
    if loss > 3:
        break  #! E1124
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
for x in data:
    with tf.GradientTape() as tape:
        tape.watch(x)
    opt.apply_gradients(zip(tape.gradient(f(x), v), v))  #! E1124
for x in data:
    with tf.GradientTape() as tape:
        loss = f(x)
        result = m(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    if step:
        plot(result)
print(result)  #! E1124
