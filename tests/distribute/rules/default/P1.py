import logging
import sys
import pprint
import tensorflow as tf
log = logging.getLogger()
opt = tf.optimizers.SGD(0.1)
m = tf.keras.Sequential([])
m.summary()
for x in tf.data.Dataset.range(4):
    with tf.GradientTape() as tape:
        loss = f(x)
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    print('a'); tf.print(loss)
    log.info('b'), logging.warning('c')
    sys.stdout.write('d')
    h = lambda: print('e')
    pprint.pprint(x)
