"""Loss and gradients in functions of their own; means of epochs in lists."""
# epochs: 3
import numpy as np
import tensorflow as tf

x = np.arange(33 * 4, dtype='float32').reshape(33, 4) / 100
y = (x.sum(axis=1) > 2.0).astype('float32')
ds_train_batch = tf.data.Dataset.from_tensor_slices((x, y)).batch(5)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(4, activation=tf.nn.relu),
    tf.keras.layers.Dense(1)
])
loss_object = tf.keras.losses.MeanSquaredError()


def loss(model, x, y, training):
    y_ = model(x, training=training)
    return loss_object(y, y_[:, 0])


def grad(model, inputs, targets):
    with tf.GradientTape() as tape:
        loss_value = loss(model, inputs, targets, training=True)
    return loss_value, tape.gradient(loss_value, model.trainable_variables)


optimizer = tf.keras.optimizers.SGD(learning_rate=0.01)
train_loss_results = []
num_epochs = 3
for epoch in range(num_epochs):
    epoch_loss_avg = tf.keras.metrics.Mean()
    # Training loop - using batches of 5
    for x, y in ds_train_batch:
        loss_value, grads = grad(model, x, y)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        epoch_loss_avg.update_state(loss_value)
    train_loss_results.append(epoch_loss_avg.result())
    if epoch % 2 == 0:
        print("Epoch {:03d}".format(epoch), len(train_loss_results))
