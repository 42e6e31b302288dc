import os
os.environ['KERAS_BACKEND'] = 'jax'
import keras as K
import numpy as np

m = K.Sequential([])
m.compile(optimizer=K.optimizers.SGD(0.1))  # as it was
m.fit(x, y)
