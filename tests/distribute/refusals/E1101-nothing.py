import tensorflow as tf  #! E1101
model = tf.keras.Sequential([])
