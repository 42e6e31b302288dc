from tensorflow import keras
C = keras.callbacks
m = keras.Sequential([])
m.compile('sgd')
stop = C.EarlyStopping()
log = C.CSVLogger('f')
m.fit(x, callbacks=[stop, log])
more = [C.ModelCheckpoint('g')]
more.append(log)
m.fit(x, callbacks=more)
m.fit(x, callbacks=None)
m.fit(x, callbacks=[C.LearningRateScheduler(lambda e: 0.1 / (e + 1))])
