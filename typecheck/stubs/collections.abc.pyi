# collections.abc.pyi - the abstract classes are those of typing.

from typing import AbstractSet as Set
from typing import *
