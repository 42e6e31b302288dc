"""A lower bound as the measure; test data after each epoch, samples written."""
# epochs: 2
import numpy as np
import tensorflow as tf

x = np.arange(41 * 3, dtype='float32').reshape(41, 3) / 100
train_dataset = tf.data.Dataset.from_tensor_slices(x[:31]).shuffle(31, seed=5).batch(4)
test_dataset = tf.data.Dataset.from_tensor_slices(x[31:]).batch(4)


class CVAE(tf.keras.Model):
    """Codes and decodes."""

    def __init__(self, latent_dim):
        super(CVAE, self).__init__()
        self.encoder = tf.keras.Sequential([tf.keras.layers.Dense(latent_dim)])
        self.decoder = tf.keras.Sequential([tf.keras.layers.Dense(3)])

    def call(self, x):
        return self.decoder(self.encoder(x))


optimizer = tf.keras.optimizers.Adam(1e-4)


def compute_loss(model, x):
    return tf.reduce_mean(tf.square(model(x) - x))


def train_step(model, x, optimizer):
    """One step of training, which returns nothing."""
    with tf.GradientTape() as tape:
        loss = compute_loss(model, x)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def keep_samples(model, epoch, test_sample):
    predictions = model(test_sample)
    np.save('samples_{:04d}.npy'.format(epoch), predictions.numpy())


model = CVAE(2)
for test_sample in test_dataset.take(1):
    pass
epochs = 2
for epoch in range(1, epochs + 1):
    for train_x in train_dataset:
        train_step(model, train_x, optimizer)
    loss = tf.keras.metrics.Mean()
    for test_x in test_dataset:
        loss(compute_loss(model, test_x))
    elbo = -loss.result()
    print('Epoch: {}, Test set ELBO is there: {}'.format(epoch, elbo.shape))
    keep_samples(model, epoch, test_sample)
