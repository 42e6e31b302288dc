import tensorflow
import tensorflow.keras
import os.path as p
o = tensorflow.optimizers.Adam(0.1)
