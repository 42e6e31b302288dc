"""Two phases of training over one dataset."""
# real: not abcd: an optimizer of Keras takes no new variables after its first step
# epochs: 2
import numpy as np
import tensorflow as tf

x = np.arange(22 * 3, dtype='float32').reshape(22, 3) / 100
y = (x.sum(axis=1) > 0.49).astype('float32')

dataset = tf.data.Dataset.from_tensor_slices(x).batch(4)
encoder = tf.keras.Sequential([tf.keras.layers.Dense(2)])
decoder = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.SGD(0.01)


def step(batch, variables):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(decoder(encoder(batch)) - batch))
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    return float(loss)


decoder(encoder(x[:1]))
for batch in dataset:
    step(batch, decoder.trainable_variables)
for batch in dataset:
    last = step(batch, encoder.trainable_variables + decoder.trainable_variables)
print('two phases')
