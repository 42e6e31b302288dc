from os import path
import tensorflow as tf
