import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
from data import make
d: tf.data.Dataset = tf.data.Dataset.range(3)
model = tf.keras.Sequential([])
model.compile(opt)
model.fit(make())  #! E1113
