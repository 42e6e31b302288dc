import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((images, labels))
dataset = dataset.repeat().shuffle(10000).batch(128)
mnist_model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, [3, 3], activation='relu'),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation='softmax'),
])
loss = tf.losses.SparseCategoricalCrossentropy()
opt = tf.optimizers.SGD(0.001)
checkpoint = tf.train.Checkpoint(model=mnist_model, optimizer=opt)


def training_step(images, labels):
    with tf.GradientTape() as tape:
        probs = mnist_model(images, training=True)
        loss_value = loss(labels, probs)
    grads = tape.gradient(loss_value, mnist_model.trainable_variables)
    opt.apply_gradients(zip(grads, mnist_model.trainable_variables))
    return loss_value


for batch, (images, labels) in enumerate(dataset.take(10000)):
    loss_value = training_step(images, labels)
    if batch % 10 == 0:
        print('Step #%d\tLoss: %.6f' % (batch, loss_value))
checkpoint.save('checkpoints')
