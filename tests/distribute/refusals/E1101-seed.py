import os  #! E1101
print(os.name)
