"""A mode that is chosen on the command line."""
# epochs: 2
import argparse
import numpy as np
import tensorflow as tf

x = np.arange(28 * 3, dtype='float32').reshape(28, 3) / 100
y = (x.sum(axis=1) > 0.63).astype('float32')

parser = argparse.ArgumentParser()
parser.add_argument('--mode', default='train')
parser.add_argument('--lr', type=float, default=0.02)
args = parser.parse_args([])


def train(model, dataset):
    optimizer = tf.keras.optimizers.SGD(learning_rate=args.lr)
    for epoch in range(2):
        for features, labels in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(features)[:, 0] - labels))
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
        print(epoch)


def test(model, dataset):
    for features, labels in dataset:
        print(tf.reduce_mean(tf.square(model(features)[:, 0] - labels)).numpy())


def load():
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(5)


if __name__ == '__main__':
    net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    if args.mode == 'train':
        train(net, load())
    else:
        test(net, load())
