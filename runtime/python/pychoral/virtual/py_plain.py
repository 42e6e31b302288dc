"""The default of every hook: what Python itself does, so that a program stays what it was.

The table of hooks is compiler/virtualize/hook.def; `_fast.c` has the same hooks without frames of
Python between the user's functions.  py_defaults gives those of `_fast` where it is built.

Every thunk runs through `_run`, which mends UnboundLocalError (mend.py).  The forms NAME_gen and
NAME_async are one function: a generator that may also be awaited.  In these a StopIteration that
leaves a thunk has become a RuntimeError at the thunk's border; `_failed` finds it again.
"""

from __future__ import annotations

import functools
import operator
import sys
import types
from collections.abc import Callable, Generator
from typing import Any, NoReturn

from .mend import free_words, trim, unbound_local, unbound_words
from .signals import BREAK, CONTINUE, UNBOUND, Raised, Signal

Thunk = Callable[..., Any]
Steps = Generator[Any, Any, Any]
Names = tuple[Any, ...]


def nothing() -> None:
    """The `orelse` of a statement that has none."""


@types.coroutine
def nothing_gen() -> Steps:
    if False:
        yield


nothing_async = nothing_gen


def _again(error: BaseException) -> NoReturn:
    """Raise what was raised before: its context stays, also where another one is handled."""
    context = error.__context__
    try:
        raise error
    finally:
        error.__context__ = context


def leave(signal: Signal) -> Signal:
    if type(signal) is Raised:
        _again(signal.exception)
    return signal


# ---- thunks ----


def _run(thunk: Thunk, *given: Any) -> Any:
    try:
        return thunk(*given)
    except NameError as error:
        mended = unbound_local(error)
        if mended is None:
            raise
    _again(mended)


def _failed(error: NameError | RuntimeError) -> Raised | None:
    """What the user's frame has to raise in place of an error that has left a generator thunk."""
    if isinstance(error, NameError):
        mended = unbound_local(error)
        return None if mended is None else Raised(mended)
    at = error.__traceback__
    if isinstance(error.__cause__, StopIteration) and at is not None and at.tb_next is None:
        return Raised(error.__cause__)
    return None


@types.coroutine
def _drive(thunk: Callable[..., Any], *given: Any) -> Steps:
    """Runs a thunk that is a generator or coroutine; gives Raised(exc) for what `_failed` finds."""
    try:
        return (yield from thunk(*given))
    except (NameError, RuntimeError) as error:
        failed = _failed(error)
        if failed is None:
            raise
        return failed


def _form(hook: Callable[..., Steps]) -> Callable[..., Any]:
    """A hook for generators and coroutines out of one that may let StopIteration leave."""

    @types.coroutine
    @functools.wraps(hook)
    def form(*given: Any) -> Steps:
        return (yield from _drive(hook, *given))

    return form


# ---- control ----


def if_stmt(test: Thunk, body: Thunk, orelse: Thunk, local_writes: Names) -> Signal:
    chosen = body if _run(test) else orelse
    signal: Signal = _run(chosen)
    return signal


def if_stmt_rest(
    test: Thunk, body: Thunk, orelse: Thunk, rest: Thunk, local_writes: Names
) -> Signal:
    signal = if_stmt(test, body, orelse, local_writes)
    if signal is None:
        signal = _run(rest)
    return signal


@types.coroutine
def if_stmt_gen(test: Thunk, body: Thunk, orelse: Thunk, local_writes: Names) -> Steps:
    try:
        chosen = body if (yield from test()) else orelse
        return (yield from chosen())
    except (NameError, RuntimeError) as error:
        failed = _failed(error)
        if failed is None:
            raise
        return failed


def while_stmt(test: Thunk, body: Thunk, orelse: Thunk, local_writes: Names) -> Signal:
    signal: Signal
    while _run(test):
        signal = _run(body)
        if signal is BREAK:
            return None
        if signal is not None and signal is not CONTINUE:
            return signal
    signal = _run(orelse)
    return signal


@types.coroutine
def while_stmt_gen(test: Thunk, body: Thunk, orelse: Thunk, local_writes: Names) -> Steps:
    try:
        while (yield from test()):
            signal = yield from body()
            if signal is BREAK:
                return None
            if signal is not None and signal is not CONTINUE:
                return signal
        return (yield from orelse())
    except (NameError, RuntimeError) as error:
        failed = _failed(error)
        if failed is None:
            raise
        return failed


def for_stmt(target: Thunk, iter: Any, body: Thunk, orelse: Thunk, local_writes: Names) -> Signal:
    signal: Signal
    for item in iter:
        signal = _run(body, item)
        if signal is BREAK:
            return None
        if signal is not None and signal is not CONTINUE:
            return signal
    signal = _run(orelse)
    return signal


@types.coroutine
def for_stmt_gen(
    target: Thunk, iter: Any, body: Thunk, orelse: Thunk, local_writes: Names
) -> Steps:
    for item in iter:  # What the iterator raises is not looked at.
        try:
            signal = yield from body(item)
        except (NameError, RuntimeError) as error:
            signal = _failed(error)
            if signal is None:
                raise
        if signal is BREAK:
            return None
        if signal is not None and signal is not CONTINUE:
            return signal
    return (yield from _drive(orelse))


def if_expr(test: Any, body: Thunk, orelse: Thunk) -> Any:
    return _run(body if test else orelse)


def make_if_expr_of(if_expr: Callable[[Any, Thunk, Thunk], Any]) -> Callable[..., Any]:
    """The parts of a conditional expression in the order of the text."""
    return lambda body, test, orelse: if_expr(test, body, orelse)


if_expr_of = make_if_expr_of(if_expr)


# ---- truth ----



class Decided:
    """An operand that has been asked for its truth: who asks next gets the same answer."""

    __slots__ = ("value", "_truth")

    def __init__(self, value: Any, truth: bool) -> None:
        self.value, self._truth = value, truth

    def __bool__(self) -> bool:
        return self._truth


Connective = Callable[[Any, tuple[Thunk, ...]], Any]


def _make_part(truth: Callable[[Any], Any], goes_on: bool) -> Connective:
    def part(first: Any, rest: tuple[Thunk, ...]) -> Any:
        for thunk in rest:
            known = type(first) is Decided
            if bool(first if known else truth(first)) is not goes_on:
                return first if known else Decided(first, not goes_on)
            first = _run(thunk)
        return first

    return part


def _make_whole(part: Connective) -> Connective:
    def whole(first: Any, rest: tuple[Thunk, ...]) -> Any:
        given = part(first, rest)
        return given.value if type(given) is Decided else given

    return whole


def make_truth_and_part(truth: Callable[[Any], Any]) -> Connective:
    return _make_part(truth, True)


def make_truth_or_part(truth: Callable[[Any], Any]) -> Connective:
    return _make_part(truth, False)


def make_truth_and(truth: Callable[[Any], Any]) -> Connective:
    return _make_whole(_make_part(truth, True))


def make_truth_or(truth: Callable[[Any], Any]) -> Connective:
    return _make_whole(_make_part(truth, False))


not_ = operator.not_
truth = operator.truth
and_part = truth_and_part = make_truth_and_part(truth)
or_part = truth_or_part = make_truth_or_part(truth)
and_ = truth_and = make_truth_and(truth)
or_ = truth_or = make_truth_or(truth)


# ---- calls, operators, attributes, items ----


def call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    return f(*args, **kwargs)


def call_star(f: Any, args: Any, *kwargs: Any) -> Any:
    return f(*args, **kwargs[0]) if kwargs else f(*args)


def make_call_star(call: Callable[..., Any]) -> Callable[..., Any]:
    """`f(*args)`, `f(*args, **kwargs)`: the default hands on the tuple itself."""
    return lambda f, args, kwargs={}: call(f, *args, **kwargs)


eq, ne, lt, le, gt, ge = (
    operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge
)  # fmt: skip
is_, is_not = operator.is_, operator.is_not


def in_(item: Any, container: Any) -> bool:
    return item in container


def not_in(item: Any, container: Any) -> bool:
    return item not in container


Links = tuple[tuple[Callable[[Any, Any], Any], Thunk], ...]


def compare_part(first: Any, rest: Links) -> Any:
    last = len(rest) - 1
    for index, (comparison, thunk) in enumerate(rest):
        second = _run(thunk)
        answer = comparison(first, second)
        if index < last and not answer:
            return Decided(answer, False)
        first = second
    return answer


def compare(first: Any, rest: Links) -> Any:
    answer = compare_part(first, rest)
    return answer.value if type(answer) is Decided else answer


add, sub, mul, matmul = operator.add, operator.sub, operator.mul, operator.matmul
truediv, floordiv, mod, pow_ = operator.truediv, operator.floordiv, operator.mod, operator.pow
lshift, rshift = operator.lshift, operator.rshift
bitand, bitor, bitxor = operator.and_, operator.or_, operator.xor
neg, pos, invert = operator.neg, operator.pos, operator.invert
iadd, isub, imul, imatmul = operator.iadd, operator.isub, operator.imul, operator.imatmul
itruediv, ifloordiv = operator.itruediv, operator.ifloordiv
imod, ipow = operator.imod, operator.ipow
ilshift, irshift = operator.ilshift, operator.irshift
ibitand, ibitor, ibitxor = operator.iand, operator.ior, operator.ixor

getattr_: Callable[[Any, str], Any] = getattr
setattr_: Callable[[Any, str, Any], None] = setattr
delattr_: Callable[[Any, str], None] = delattr
getitem, setitem, delitem = operator.getitem, operator.setitem, operator.delitem


# ---- stores: Python stores to `ref.val`, and the hook is called then ----


def make_ref(store: Callable[..., Any], remove: Callable[..., Any]) -> Callable[..., Any]:
    """The class of the objects that stand where a target of an assignment stood."""

    class Reference:
        __slots__ = ("_at",)

        def __init__(self, *at: Any) -> None:
            self._at = at

        def _set(self, value: Any) -> None:
            store(*self._at, value)

        def _delete(self) -> None:
            remove(*self._at)

        val = property(None, _set, _delete)

    return Reference


def aug_attr(
    get: Thunk, op: Thunk, set: Thunk, o: Any, name: str, value: Callable[[], Any]
) -> None:
    set(o, name, op(get(o, name), _run(value)))


def aug_item(
    get: Thunk, op: Thunk, set: Thunk, o: Any, index: Any, value: Callable[[], Any]
) -> None:
    set(o, index, op(get(o, index), _run(value)))


attr_ref = make_ref(setattr, delattr)
item_ref = make_ref(setitem, delitem)


# ---- with ----


def _special(manager: Any, name: str) -> Callable[..., Any] | None:
    for owner in type(manager).__mro__:
        if name in vars(owner):
            found = vars(owner)[name]
            bind = getattr(type(found), "__get__", None)
            bound: Callable[..., Any]
            bound = found if bind is None else bind(found, manager, type(manager))
            return bound
    return None


def _protocol(manager: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    enter, leaving = _special(manager, "__enter__"), _special(manager, "__exit__")
    if enter is not None and leaving is not None:
        return enter, leaving
    if sys.version_info < (3, 11):
        raise AttributeError("__enter__" if enter is None else "__exit__")
    words = f"'{type(manager).__name__}' object does not support the context manager protocol"
    raise TypeError(words + ("" if enter is None else " (missed __exit__ method)"))


def with_stmt(manager: Any, target: Thunk | None, body: Thunk, local_writes: Names) -> Signal:
    enter, leaving = _protocol(manager)
    value = enter()
    try:
        if target is not None:
            _run(target, value)
        signal: Signal = _run(body)
    except BaseException as error:
        trim(error)
        if not leaving(type(error), error, error.__traceback__):
            raise
        return None
    leaving(None, None, None)
    return signal


@_form
@types.coroutine
def with_stmt_gen(manager: Any, target: Thunk | None, body: Thunk, local_writes: Names) -> Steps:
    enter, leaving = _protocol(manager)
    value = enter()
    try:
        if target is not None:
            leave((yield from _drive(target, value)))
        signal = leave((yield from _drive(body)))
    except BaseException as error:
        trim(error)
        if not leaving(type(error), error, error.__traceback__):
            raise
        return None
    leaving(None, None, None)
    return signal


# ---- exceptions ----

Handler = tuple["Thunk | None", "Thunk | None", Thunk]


def catches(error: BaseException, types: Any) -> bool:
    """What `except types` asks; only classes of exceptions, and tuples of these, can catch."""
    listed = types if isinstance(types, tuple) else (types,)
    for one in listed:
        if not (isinstance(one, type) and issubclass(one, BaseException)):
            words = "catching classes that do not inherit from BaseException is not allowed"
            raise TypeError(words)
    return any(one in type(error).__mro__ for one in listed)


def _handled(body: Thunk, handlers: tuple[Handler, ...], orelse: Thunk) -> Signal:
    try:
        signal: Signal = _run(body)
    except BaseException as error:
        trim(error)
        for types, bind, handler in handlers:
            if types is None or catches(error, _run(types)):
                try:
                    if bind is not None:
                        _run(bind, error)
                    signal = _run(handler)
                finally:
                    if bind is not None:
                        _run(bind, UNBOUND)
                return signal
        raise
    if signal is None:
        signal = _run(orelse)
    return signal


def try_stmt(
    body: Thunk,
    handlers: tuple[Handler, ...],
    orelse: Thunk,
    final: Thunk | None,
    local_writes: Names,
) -> Signal:
    if final is None:
        return _handled(body, handlers, orelse)
    try:
        signal = _handled(body, handlers, orelse)
    finally:
        last: Signal = _run(final)
        if last is not None:
            return last
    return signal


@types.coroutine
def _handled_gen(body: Thunk, handlers: tuple[Handler, ...], orelse: Thunk) -> Steps:
    try:
        signal = leave((yield from _drive(body)))
    except BaseException as error:
        trim(error)
        for types, bind, handler in handlers:
            if types is None or catches(error, leave((yield from _drive(types)))):
                try:
                    if bind is not None:
                        leave((yield from _drive(bind, error)))
                    signal = leave((yield from _drive(handler)))
                finally:
                    if bind is not None:
                        leave((yield from _drive(bind, UNBOUND)))
                return signal
        raise
    if signal is None:
        signal = leave((yield from _drive(orelse)))
    return signal


@_form
@types.coroutine
def try_stmt_gen(
    body: Thunk,
    handlers: tuple[Handler, ...],
    orelse: Thunk,
    final: Thunk | None,
    local_writes: Names,
) -> Steps:
    if final is None:
        return leave((yield from _drive(_handled_gen, body, handlers, orelse)))
    try:
        signal = leave((yield from _drive(_handled_gen, body, handlers, orelse)))
    finally:
        last = leave((yield from _drive(final)))
        if last is not None:
            return last
    return signal


def _is_exception_class(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def raise_stmt(exception: Any, cause: Any) -> BaseException:
    raised = exception
    if _is_exception_class(exception):
        raised = exception()
        if not isinstance(raised, BaseException):
            words = "should have returned an instance of BaseException, not"
            raise TypeError(f"calling {exception!r} {words} {type(raised)!r}")
    if not isinstance(raised, BaseException):
        raise TypeError("exceptions must derive from BaseException")
    if cause is not UNBOUND:
        if _is_exception_class(cause):
            cause = cause()
        if cause is not None and not isinstance(cause, BaseException):
            raise TypeError("exception causes must derive from BaseException")
        setter: Any = BaseException.__cause__
        setter.__set__(raised, cause)
    return raised


def assert_stmt(test: Thunk, message: Thunk | None) -> None:
    if not _run(test):
        fail(() if message is None else (_run(message),))


def fail(given: tuple[Any, ...]) -> NoReturn:
    raise AssertionError(*given)


# ---- match ----

Case = tuple[Thunk, "Thunk | None", Thunk]


def match_stmt(subject: Any, cases: tuple[Case, ...], local_writes: Names) -> Signal:
    for pattern, guard, body in cases:
        if _run(pattern, subject) and (guard is None or _run(guard)):
            signal: Signal = _run(body)
            return signal
    return None


@_form
@types.coroutine
def match_stmt_gen(subject: Any, cases: tuple[Case, ...], local_writes: Names) -> Steps:
    for pattern, guard, body in cases:
        if not leave((yield from _drive(pattern, subject))):
            continue
        if guard is None or leave((yield from _drive(guard))):
            return leave((yield from _drive(body)))
    return None


# ---- comprehensions ----

_BUILT: dict[str, Callable[[Any], Any]] = {"list": list, "set": set, "dict": dict}


def _build(kind: str, items: Any) -> Any:
    if kind == "gen":
        return items
    try:
        return _BUILT[kind](items)
    except RuntimeError as error:
        at = error.__traceback__
        if not isinstance(error.__cause__, StopIteration) or at is None or at.tb_next is not None:
            raise
        ended = error.__cause__
    raise ended


def comp(kind: str, first_iter: Any, gen: Callable[[Any], Any]) -> Any:
    return _build(kind, gen(iter(first_iter)))


def make_comp_of(comp: Callable[..., Any]) -> Callable[[str, Callable[..., Any]], Any]:
    def comp_of(kind: str, make: Callable[..., Any]) -> Any:
        found: list[Thunk] = []

        def find(thunk: Thunk) -> tuple[()]:
            found.append(thunk)
            return ()

        make(find)
        return comp(kind, _run(found[0]), lambda iterator: make(lambda thunk: iterator))

    return comp_of


def comp_of(kind: str, make: Callable[..., Any]) -> Any:
    return _build(kind, make(_run))


# ---- what a default hook leaves as it is ----


def _same(value: Any, /) -> Any:
    return value


yield_ = yield_from_ = await_ = aiter_ = acontext_ = _same
function_def = class_def = _same
new_list = new_tuple = new_set = new_dict = constant = _same
return_ = expr_stmt = _same

_CONVERSIONS: dict[int, Callable[[Any], str]] = {115: str, 114: repr, 97: ascii}


no_format = ""


def format_(value: Any, conversion: int, spec: str) -> str:
    if conversion != -1:
        value = _CONVERSIONS[conversion](value)
    return format(value, spec)


# ---- boxed variables ----


class Box:
    """A local variable: `val` is UNBOUND as long as it has no value."""

    __slots__ = ("name", "val")

    def __init__(self, name: str) -> None:
        self.name = name
        self.val: Any = UNBOUND


def init(name: str) -> Box:
    return Box(name)


def assign(box: Box, value: Any) -> None:
    box.val = value


def read(box: Box) -> Any:
    if box.val is UNBOUND:
        raise UnboundLocalError(unbound_words(box.name))
    return box.val


def delete(box: Box) -> None:
    read(box)
    box.val = UNBOUND


def make_box_of(
    init: Callable[[str], Any], assign: Callable[[Any, Any], Any]
) -> Callable[[str, Any], Any]:
    """The box of a parameter."""

    def box_of(name: str, value: Any) -> Any:
        box = init(name)
        assign(box, value)
        return box

    return box_of


def make_reboxed(assign: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The box again, after what was bound to its name is in it."""

    def reboxed(box: Any, value: Any) -> Any:
        assign(box, value)
        return box

    return reboxed


def make_named(assign: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`x := value`."""

    def named(box: Any, value: Any) -> Any:
        assign(box, value)
        return value

    return named


def make_read_free(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`read`, or `delete`, in an inner function: Python has other words there for what has no
    value."""

    def read_free(box: Any) -> Any:
        try:
            return read(box)
        except UnboundLocalError as error:
            name = getattr(box, "name", None)
            if name is None or error.args != (unbound_words(name),):
                raise
        unset: Any = NameError
        raise unset(free_words(name), name=name)

    return read_free


def make_free_ref(
    assign: Callable[[Any, Any], Any], delete: Callable[[Any], Any]
) -> Callable[..., Any]:
    return make_ref(assign, make_read_free(delete))


box_ref = make_ref(assign, delete)
box_ref_free = make_free_ref(assign, delete)
box_of = make_box_of(init, assign)
reboxed, named = make_reboxed(assign), make_named(assign)
read_free = make_read_free(read)

if_stmt_async, while_stmt_async, for_stmt_async = if_stmt_gen, while_stmt_gen, for_stmt_gen
with_stmt_async, try_stmt_async, match_stmt_async = with_stmt_gen, try_stmt_gen, match_stmt_gen
slice = slice
