# --- await in if, for, while, with, try
import asyncio
async def tick(x): await asyncio.sleep(0); return x
async def f(n):
    out = []
    if await tick(n): out.append("if")
    else: out.append(await tick("else"))
    for i in range(n):
        if i == 2: break
        out.append(await tick(i))
    while await tick(n):
        n -= 1
        if n == 1: continue
    try: 1 / await tick(0)
    except ZeroDivisionError: out.append(await tick("z"))
    finally: await tick(1)
    return out
print(asyncio.run(f(0)), asyncio.run(f(4)))
# --- async for, async with
import asyncio
class A:
    def __init__(self): self.n = 0
    def __aiter__(self): return self
    async def __anext__(self):
        self.n += 1
        if self.n > 3: raise StopAsyncIteration
        return self.n
    async def __aenter__(self): return "in"
    async def __aexit__(self, *a): print("aexit", a[0]); return True
async def f():
    out = []
    async for x in A():
        if x == 2: continue
        out.append(x)
    else: out.append("else")
    async with A() as v:
        if v: raise KeyError
    return out, v
print(asyncio.run(f()))
# --- StopIteration inside a coroutine
import asyncio
async def f(it):
    try:
        if True:
            await asyncio.sleep(0)
            for _ in range(1):
                await asyncio.sleep(0)
                next(it)
    except StopIteration: return "caught"
print(asyncio.run(f(iter([]))))
# --- async generators and comprehensions
import asyncio
async def g(n):
    for i in range(n):
        if i % 2: yield i
        await asyncio.sleep(0)
async def f():
    a = [x async for x in g(5)]
    b = {x: await t(x) async for x in g(3)}
    c = [await t(x) for x in (1, 2) if await t(x)]
    if [x async for x in g(2)]: c.append("if")
    return a, b, c
async def t(x): return x
print(asyncio.run(f()))
# --- return in an async generator
import asyncio
async def g(n):
    for i in range(n):
        if i == 2: return
        yield i
async def f(): return [x async for x in g(5)]
print(asyncio.run(f()))
# --- gather and cancellation
import asyncio
async def w(log):
    try:
        while True: await asyncio.sleep(10)
    except asyncio.CancelledError:
        log.append("cancelled")
        raise
    finally: log.append("finally")
async def f():
    log = []
    t = asyncio.ensure_future(w(log))
    await asyncio.sleep(0)
    t.cancel()
    try: await t
    except asyncio.CancelledError: log.append("out")
    return log
print(asyncio.run(f()))
# --- names and kinds
import asyncio, inspect
async def f():
    """doc"""
    if True: await asyncio.sleep(0)
c = f()
print(inspect.iscoroutinefunction(f), c.__name__, c.__qualname__, f.__doc__)
asyncio.run(c)
# --- await of a value that cannot be awaited
import asyncio
async def f():
    try: await 3
    except TypeError as e: return str(e)
print(asyncio.run(f()))
# --- with and match around await
import asyncio
async def f(x):
    with open("/dev/null") as h:
        match x:
            case 1: return await t("one")
            case n if await t(n): return n, h.closed
async def t(v): return v
print(asyncio.run(f(1)), asyncio.run(f(2)), asyncio.run(f(0)))
# --- nested functions and nonlocal in a coroutine
import asyncio
async def f():
    n = 0
    async def up():
        nonlocal n
        if True:
            await asyncio.sleep(0)
            n += 1
    for _ in range(3): await up()
    return n
print(asyncio.run(f()))
