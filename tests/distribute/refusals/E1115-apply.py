import tensorflow as tf
from mine import make
opt = make()
for x in tf.data.Dataset.range(9):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))  #! E1115
