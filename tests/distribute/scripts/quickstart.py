"""A subclassed model, traced steps of training and testing, metrics that are kept."""
# epochs: 2
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import Dense, Flatten

x = np.arange(46 * 3, dtype='float32').reshape(46, 3) / 100
y = (x.sum(axis=1) > 1.0).astype('float32')
x_train, y_train, x_test, y_test = x[:35], y[:35], x[35:], y[35:]

train_ds = tf.data.Dataset.from_tensor_slices(
    (x_train, y_train)).shuffle(100, seed=3).batch(4)
test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(4)


class MyModel(Model):
    def __init__(self):
        super().__init__()
        self.flatten = Flatten()
        self.d1 = Dense(4, activation='relu')
        self.d2 = Dense(1)

    def call(self, x):
        x = self.flatten(x)
        x = self.d1(x)
        return self.d2(x)


# Create an instance of the model
model = MyModel()
loss_object = tf.keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
train_loss = tf.keras.metrics.Mean(name='train_loss')
test_loss = tf.keras.metrics.Mean(name='test_loss')


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions[:, 0])
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)


@tf.function
def test_step(images, labels):
    predictions = model(images, training=False)
    t_loss = loss_object(labels, predictions[:, 0])
    test_loss(t_loss)


EPOCHS = 2
for epoch in range(EPOCHS):
    train_loss.reset_state()
    test_loss.reset_state()
    for images, labels in train_ds:
        train_step(images, labels)
    for test_images, test_labels in test_ds:
        test_step(test_images, test_labels)
    print(
        f'Epoch {epoch + 1}, '
        f'Loss: {float(train_loss.result()) > 0}, '
        f'Test Loss: {float(test_loss.result()) > 0}'
    )
