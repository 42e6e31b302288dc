import tensorflow as tf
d = tf.data.Dataset.range(9)
async def f():
    return [1 async for y in d.take(2) if d.take(3)]
