import os, tensorflow as net
o = net.optimizers.Adam(0.1)
