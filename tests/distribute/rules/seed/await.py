import tensorflow as tf
d = tf.data.Dataset.range(9)
async def f():
    await d.take(1)
