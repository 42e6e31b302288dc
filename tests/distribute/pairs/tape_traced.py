import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000, seed=1).batch(32)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(32)
model = build()
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.RMSprop(1e-4)
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_object(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def test_step(images, labels):
    test_accuracy(labels, model(images, training=False))


for epoch in range(5):
    for images, labels in train:
        train_step(images, labels)
    for images, labels in test:
        test_step(images, labels)
    print(f'Epoch {epoch + 1}')
