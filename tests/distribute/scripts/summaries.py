"""Summaries, a logger, a progress bar."""
import logging
import numpy as np
import tensorflow as tf

x = np.arange(24 * 3, dtype='float32').reshape(24, 3) / 100
y = (x.sum(axis=1) > 0.54).astype('float32')

log = logging.getLogger(__name__)
writer = tf.summary.create_file_writer('logs/train')
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
model.summary()
optimizer = tf.keras.optimizers.SGD(0.01)
bar = tf.keras.utils.Progbar(6)
with writer.as_default():
    for step, (features, labels) in enumerate(dataset):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        tf.summary.scalar('loss', loss, step=step)
        bar.update(step)
        log.warning('step %d', step)
writer.flush()
