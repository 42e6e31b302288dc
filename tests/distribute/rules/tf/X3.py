import tensorflow as tf
from tensorflow.keras import layers


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(1)


def build():
    model = tf.keras.Sequential()
    model.add(layers.Dense(3))
    return model


m = Net()

# two more
n = build(); loss_object = tf.keras.losses.MeanSquaredError()
accuracy = tf.keras.metrics.Mean()
m(x)
m.build((None, 3))
checkpoint = tf.train.Checkpoint(m=m)
if big:
    n.add(layers.Dense(4,
                       use_bias=False))
o = tf.keras.optimizers.SGD(0.1)
for x in tf.data.Dataset.range(8).batch(2):
    with tf.GradientTape() as tape:
        loss = loss_object(m(x), n(x))
    o.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
test = [m(x) for x in tf.data.Dataset.range(3)]
