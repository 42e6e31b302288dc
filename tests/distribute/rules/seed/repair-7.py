import tensorflow as a, os
o = a.optimizers.Adam(*rates)  #! W1103
