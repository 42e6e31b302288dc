import tensorflow as tf
async def f():
    async with tf.GradientTape() as t: a = 1
    b = 2
