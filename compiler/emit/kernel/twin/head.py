
import builtins
import ctypes
import hashlib
import operator
import os
import platform
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
