import tensorflow as tf
d = tf.data.Dataset.range(9)
async def f():
    async with f(d.take(1)) as x:
        x = d.take(2)
