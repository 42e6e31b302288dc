import tensorflow as tf
d = tf.data.Dataset.range(9)
match 1:
    case {'a': x, **r}:
        d.take(1)
