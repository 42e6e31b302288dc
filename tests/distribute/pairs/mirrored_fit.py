# options: --target=tf
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.SGD(0.01), loss='mse')
model.fit(data, epochs=10)
