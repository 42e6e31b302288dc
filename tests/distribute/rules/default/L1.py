import tensorflow as tf
from tensorflow.keras.optimizers import Adagrad as Ada
a = tf.optimizers.SGD(0.1 if c else 0.2, momentum=0.9)
b = Ada()
opt = tf.keras.optimizers.Adam(lr=rate)  #! W1104
opt.learning_rate = 0.5
opt.learning_rate = opt.learning_rate * 0.5
opt.learning_rate.assign(rate - 1)
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
