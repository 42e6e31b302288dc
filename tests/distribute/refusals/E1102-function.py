def train():
    import tensorflow as tf  #! E1102
    m = tf.keras.Sequential([])
    m.compile("sgd")
    m.fit(x)
