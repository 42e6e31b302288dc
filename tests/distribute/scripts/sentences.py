"""Encoder and decoder trained by one optimizer; a checkpoint every second epoch."""
# epochs: 2
import os
import time
import numpy as np
import tensorflow as tf

x = np.arange(43 * 3, dtype='float32').reshape(43, 3) / 100
y = (x.sum(axis=1) > 0.9).astype('float32')
BUFFER_SIZE, BATCH_SIZE = len(x), 4
steps_per_epoch = len(x) // BATCH_SIZE
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(BUFFER_SIZE, seed=1)
dataset = dataset.batch(BATCH_SIZE, drop_remainder=True)


class Encoder(tf.keras.Model):
    def __init__(self, units):
        super(Encoder, self).__init__()
        self.layer = tf.keras.layers.Dense(units, activation='relu')

    def call(self, x):
        return self.layer(x)


class Decoder(tf.keras.Model):
    def __init__(self):
        super(Decoder, self).__init__()
        self.fc = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.fc(x)


encoder = Encoder(4)
decoder = Decoder()
optimizer = tf.keras.optimizers.Adam()
loss_object = tf.keras.losses.MeanSquaredError()
checkpoint_dir = './training_checkpoints'
checkpoint_prefix = os.path.join(checkpoint_dir, "ckpt")
checkpoint = tf.train.Checkpoint(optimizer=optimizer, encoder=encoder, decoder=decoder)


def train_step(inp, targ):
    with tf.GradientTape() as tape:
        loss = loss_object(targ, decoder(encoder(inp))[:, 0])
    variables = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


EPOCHS = 2
for epoch in range(EPOCHS):
    start = time.time()
    total_loss = 0
    for (batch, (inp, targ)) in enumerate(dataset.take(steps_per_epoch)):
        batch_loss = train_step(inp, targ)
        total_loss += batch_loss
        if batch % 3 == 0:
            print('Epoch {} Batch {}'.format(epoch + 1, batch), batch_loss.shape)
    # saving (checkpoint) the model every 2 epochs
    if (epoch + 1) % 2 == 0:
        checkpoint.save(file_prefix=checkpoint_prefix)
    mean_loss = total_loss / steps_per_epoch
    elapsed = time.time() - start
