import tensorflow as tf
t = tf  #! E1103
