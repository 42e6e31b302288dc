import tensorflow
o = tensorflow.optimizers.Adam(0.1)
