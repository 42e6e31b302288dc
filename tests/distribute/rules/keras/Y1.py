"""A script."""
from __future__ import annotations
import tensorflow as tf
m = tf.keras.Sequential([])
m.compile(optimizer='adam')
m.fit(x, y)
