from tqdm import tqdm
import tensorflow as tf
opt = tf.optimizers.SGD(0.1)
bar = tf.keras.utils.Progbar(4)
for x in tqdm(tf.data.Dataset.range(4), desc='d'):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    bar.update(1)
