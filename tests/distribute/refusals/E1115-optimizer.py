import tensorflow as tf
from mine import optimizer
model = tf.keras.Sequential([])
model.compile(optimizer)  #! E1115
model.fit(x)
