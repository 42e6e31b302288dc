import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
@tf.function
def step(x):
    variables = list_of(x)
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))  #! E1118


for x in tf.data.Dataset.range(9):
    step(x)
