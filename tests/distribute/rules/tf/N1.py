"""A script."""
import os
from tensorflow import keras
import numpy as np
strategy = 'taken'
m = keras.Sequential([])
m.compile(optimizer=keras.optimizers.SGD(0.1))
m.fit(x, y, batch_size=3)
