"""Two networks, two optimizers, two tapes in one with."""
import numpy as np
import tensorflow as tf

x = np.arange(27 * 3, dtype='float32').reshape(27, 3) / 100
y = (x.sum(axis=1) > 0.61).astype('float32')

dataset = tf.data.Dataset.from_tensor_slices(x).shuffle(27, seed=2).batch(4)
generator = tf.keras.Sequential([tf.keras.layers.Dense(3)])
discriminator = tf.keras.Sequential([tf.keras.layers.Dense(1)])
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(1e-3)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-3)


def train_step(images):
    noise = tf.random.normal([len(images), 2])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fake = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(fake, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
        disc_loss = cross_entropy(tf.ones_like(real_output), real_output)
    gen_gradients = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_gradients, discriminator.trainable_variables))
    return gen_loss, disc_loss


for images in dataset:
    g, d = train_step(images)
print('generator', g.shape, 'discriminator', d.shape)
