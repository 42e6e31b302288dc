from tensorflow.keras.preprocessing.image import ImageDataGenerator
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense, Flatten

images = ImageDataGenerator(rescale=1. / 255).flow_from_directory('data', target_size=(64, 64))
model = Sequential([Flatten(), Dense(2, activation='softmax')])
model.compile(loss='categorical_crossentropy', optimizer='sgd')
model.fit(images, steps_per_epoch=100, epochs=10)  #! E1113
