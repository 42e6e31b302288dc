import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
image = tf.Variable(load('photo'))
for step in range(100):
    with tf.GradientTape() as tape:
        loss = f(image)
    grad = tape.gradient(loss, image)
    opt.apply_gradients([(grad, image)])  #! E1116
