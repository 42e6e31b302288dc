# options: --target=tf
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


def train_step(features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - labels))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(10):
    for features, labels in data:
        loss = train_step(features, labels)
    print(epoch, float(loss))
