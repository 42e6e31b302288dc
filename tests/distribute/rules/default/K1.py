from tensorflow.keras import Sequential, optimizers
m = Sequential([])
m.compile()
m.compile('Adam', loss='mse')
m.compile(loss='mse', optimizer=optimizers.SGD(0.1))
o = optimizers.SGD(momentum=0.9)
m.compile(optimizer=o)
m.fit(x)
