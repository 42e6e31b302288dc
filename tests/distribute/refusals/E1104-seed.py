import tensorflow as tf
from tensorflow.keras import optimizers  #! E1104
import tensorflow.keras as keras  #! E1104
Adam = tf.optimizers.Adam  #! E1104
