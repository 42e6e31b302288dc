import tensorflow as tf
print('a'); print("""b
  c""", 1,
      2)  # d
