# Written by gen_stubs.py; change that file, not this one.

from abc import ABCMeta
from collections.abc import Callable
from typing import Annotated as At
from typing import Any, Generic, TypeVar

__all__ = [
    "At",
    "BiChannel",
    "BiDataChannel",
    "Ch1",
    "Ch10",
    "Ch11",
    "Ch12",
    "Ch13",
    "Ch14",
    "Ch15",
    "Ch16",
    "Ch17",
    "Ch18",
    "Ch19",
    "Ch2",
    "Ch20",
    "Ch21",
    "Ch22",
    "Ch23",
    "Ch24",
    "Ch25",
    "Ch26",
    "Ch27",
    "Ch28",
    "Ch29",
    "Ch3",
    "Ch30",
    "Ch31",
    "Ch32",
    "Ch4",
    "Ch5",
    "Ch6",
    "Ch7",
    "Ch8",
    "Ch9",
    "Channel",
    "DiChannel",
    "DiDataChannel",
    "DiSelectChannel",
    "Role",
    "SecureChannel",
    "SymChannel",
    "SymDataChannel",
    "SymSelectChannel",
    "effect",
    "roles",
]

_T = TypeVar("_T")
_U = TypeVar("_U")
_V = TypeVar("_V")
_A = TypeVar("_A")
_B = TypeVar("_B")
_F = TypeVar("_F", bound=Callable[..., Any])
_R1 = TypeVar("_R1")
_R2 = TypeVar("_R2")
_R3 = TypeVar("_R3")
_R4 = TypeVar("_R4")
_R5 = TypeVar("_R5")
_R6 = TypeVar("_R6")
_R7 = TypeVar("_R7")
_R8 = TypeVar("_R8")
_R9 = TypeVar("_R9")
_R10 = TypeVar("_R10")
_R11 = TypeVar("_R11")
_R12 = TypeVar("_R12")
_R13 = TypeVar("_R13")
_R14 = TypeVar("_R14")
_R15 = TypeVar("_R15")
_R16 = TypeVar("_R16")
_R17 = TypeVar("_R17")
_R18 = TypeVar("_R18")
_R19 = TypeVar("_R19")
_R20 = TypeVar("_R20")
_R21 = TypeVar("_R21")
_R22 = TypeVar("_R22")
_R23 = TypeVar("_R23")
_R24 = TypeVar("_R24")
_R25 = TypeVar("_R25")
_R26 = TypeVar("_R26")
_R27 = TypeVar("_R27")
_R28 = TypeVar("_R28")
_R29 = TypeVar("_R29")
_R30 = TypeVar("_R30")
_R31 = TypeVar("_R31")
_R32 = TypeVar("_R32")

class _RoleMeta(type):
    def __rmatmul__(cls, value: _T) -> _T: ...  # 5@Alice, E.M@Alice
    def __getattr__(cls, member: str) -> Any: ...  # E@Alice.M

class Role(metaclass=_RoleMeta):
    def __rmatmul__(self, value: _T) -> _T: ...  # E.M@Alice()

def roles(*roles: type[Role]) -> Callable[[_F], _F]: ...
def effect(*roles: type[Role]) -> Callable[[_F], _F]: ...

# The base of a class at several roles: `C[A, B](...)` is an expression as well.
class _ChMeta(ABCMeta):
    def __getitem__(cls: type[_T], roles: object) -> type[_T]: ...

# Not so for one role, as an enum may have it, and enums have a metaclass of their own.
class Ch1(Generic[_R1]): ...

class Ch2(
    Generic[
        _R1, _R2,
    ],
    metaclass=_ChMeta,
): ...

class Ch3(
    Generic[
        _R1, _R2, _R3,
    ],
    metaclass=_ChMeta,
): ...

class Ch4(
    Generic[
        _R1, _R2, _R3, _R4,
    ],
    metaclass=_ChMeta,
): ...

class Ch5(
    Generic[
        _R1, _R2, _R3, _R4, _R5,
    ],
    metaclass=_ChMeta,
): ...

class Ch6(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6,
    ],
    metaclass=_ChMeta,
): ...

class Ch7(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7,
    ],
    metaclass=_ChMeta,
): ...

class Ch8(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8,
    ],
    metaclass=_ChMeta,
): ...

class Ch9(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9,
    ],
    metaclass=_ChMeta,
): ...

class Ch10(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10,
    ],
    metaclass=_ChMeta,
): ...

class Ch11(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11,
    ],
    metaclass=_ChMeta,
): ...

class Ch12(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12,
    ],
    metaclass=_ChMeta,
): ...

class Ch13(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13,
    ],
    metaclass=_ChMeta,
): ...

class Ch14(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14,
    ],
    metaclass=_ChMeta,
): ...

class Ch15(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
    ],
    metaclass=_ChMeta,
): ...

class Ch16(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16,
    ],
    metaclass=_ChMeta,
): ...

class Ch17(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17,
    ],
    metaclass=_ChMeta,
): ...

class Ch18(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18,
    ],
    metaclass=_ChMeta,
): ...

class Ch19(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19,
    ],
    metaclass=_ChMeta,
): ...

class Ch20(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20,
    ],
    metaclass=_ChMeta,
): ...

class Ch21(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21,
    ],
    metaclass=_ChMeta,
): ...

class Ch22(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22,
    ],
    metaclass=_ChMeta,
): ...

class Ch23(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23,
    ],
    metaclass=_ChMeta,
): ...

class Ch24(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24,
    ],
    metaclass=_ChMeta,
): ...

class Ch25(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24, _R25,
    ],
    metaclass=_ChMeta,
): ...

class Ch26(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24, _R25, _R26,
    ],
    metaclass=_ChMeta,
): ...

class Ch27(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24, _R25, _R26, _R27,
    ],
    metaclass=_ChMeta,
): ...

class Ch28(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24, _R25, _R26, _R27, _R28,
    ],
    metaclass=_ChMeta,
): ...

class Ch29(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24, _R25, _R26, _R27, _R28,
        _R29,
    ],
    metaclass=_ChMeta,
): ...

class Ch30(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24, _R25, _R26, _R27, _R28,
        _R29, _R30,
    ],
    metaclass=_ChMeta,
): ...

class Ch31(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24, _R25, _R26, _R27, _R28,
        _R29, _R30, _R31,
    ],
    metaclass=_ChMeta,
): ...

class Ch32(
    Generic[
        _R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10, _R11, _R12, _R13, _R14, _R15,
        _R16, _R17, _R18, _R19, _R20, _R21, _R22, _R23, _R24, _R25, _R26, _R27, _R28,
        _R29, _R30, _R31, _R32,
    ],
    metaclass=_ChMeta,
): ...

class DiDataChannel(Generic[_T, _A, _B]):
    def com(self, value: _V) -> _V: ...
    def share(self, value: _V) -> _V: ...

class DiSelectChannel(Generic[_A, _B]):
    def select(self, label: _V) -> _V: ...

class DiChannel(DiDataChannel[_T, _A, _B], DiSelectChannel[_A, _B]): ...
class BiDataChannel(DiDataChannel[_T, _A, _B], Generic[_T, _U, _A, _B]): ...
class BiChannel(BiDataChannel[_T, _U, _A, _B], DiChannel[_T, _A, _B]): ...
class SymDataChannel(BiDataChannel[_T, _T, _A, _B], Generic[_T, _A, _B]): ...
class SymSelectChannel(DiSelectChannel[_A, _B]): ...

class SymChannel(
    BiChannel[_T, _T, _A, _B],
    SymDataChannel[_T, _A, _B],
    SymSelectChannel[_A, _B],
    Generic[_T, _A, _B],
): ...

class SecureChannel(SymChannel[_T, _A, _B]): ...

Channel = SymChannel
