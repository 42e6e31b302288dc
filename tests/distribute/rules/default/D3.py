import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([])
model.compile('sgd')
model.fit(xs, y=d['ys'], sample_weight=None)
np.random.seed(7)
