import tensorflow as tf
o = tf.optimizers.Adam(0.1)
o.apply_gradients(
    # of this batch
    zip(g,
        v))
