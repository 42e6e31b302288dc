import tensorflow as tf
x = 1
import os  #! E1102


def f():
    import re  #! E1102
    return re
