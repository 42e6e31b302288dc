#!/usr/bin/env python3
"""Random terms of the control calculus, as exact text of the IR: random_terms.py N SEED

All forms, shift and reset included; names are bound, types are not minded. Both translators to
continuations must make one program of each (terms --equal).
"""

import random
import sys

AT = "@0:0"
DEPTH = 6


class Terms:
    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"x{self.count}" if self.random.random() < 0.8 else "x"      # also one in another

    def name(self, name: str) -> str:
        return f"(Name {AT} {name} Load)"

    def constant(self) -> str:
        if self.random.random() < 0.6:
            return f"(Constant {AT} (float {self.random.randint(0, 9)}.5) nil)"
        return f"(Constant {AT} (int {self.random.randint(0, 9)}) nil)"

    def arguments(self, names: list[str]) -> str:
        args = " ".join(f"(Arg {AT} {name} nil)" for name in names)
        return f"(Arguments [] [{args}] nil [] [] nil [])"

    def leaf(self, scope: list[str]) -> str:
        return self.name(self.random.choice(scope)) if self.random.random() < 0.7 \
            else self.constant()

    def binders(self, scope: list[str], depth: int) -> str:
        form = self.random.choice(["Let", "Let", "LetRec", "Case", "Shift", "Lambda"])
        x, y = self.fresh(), self.fresh()
        if form == "Let":
            return f"(Let {AT} {x} {self.term(scope, depth)} {self.term(scope + [x], depth)})"
        if form == "LetRec":
            names = [self.fresh() for _ in range(self.random.randint(0, 2))]
            value = self.term(scope + [x] + names, depth)
            return (f"(LetRec {AT} {x} {self.arguments(names)} {value} "
                    f"{self.term(scope + [x], depth)})")
        if form == "Case":
            return (f"(Case {AT} {self.term(scope, depth)} {x} {self.term(scope + [x], depth)} "
                    f"{y} {self.term(scope + [y], depth)})")
        if form == "Shift":
            return f"(Shift {AT} {x} {self.term(scope + [x], depth)})"
        names = [self.fresh() for _ in range(self.random.randint(0, 2))]
        return f"(Lambda {AT} {self.arguments(names)} {self.term(scope + names, depth)})"

    def operation(self, scope: list[str], depth: int) -> str:
        a, b = self.term(scope, depth), self.term(scope, depth)
        return self.random.choice([
            f"(BinOp {AT} {a} {self.random.choice(['Add', 'Mult', 'Div'])} {b})",
            f"(BinOp {AT} {a} Mult {b})",
            f"(Compare {AT} {a} [Lt] [{b}])",
            f"(UnaryOp {AT} USub {a})",
            f"(Call {AT} {a} [{b}] [])",
            f"(Call {AT} {a} [{b} {self.term(scope, depth)}] [])",
            f"(Call {AT} (Name {AT} len Load) [{a}] [])",
            f"(Tuple {AT} [{a} {b}] Load)",
            f"(List {AT} [{a} {b}] Load)",
            f"(Subscript {AT} {a} (Constant {AT} (int 0) nil) Load)",
            f"(Inject {AT} {self.random.choice(['true', 'false'])} {a})",
            f"(Ref {AT} {a})",
            f"(Get {AT} {a})",
            f"(Put {AT} {a} {b})",
            f"(Reset {AT} {a})",
            f"(IfExp {AT} {a} {b} {self.term(scope, depth)})",
        ])

    def term(self, scope: list[str], depth: int) -> str:
        if depth == 0 or self.random.random() < 0.15:
            return self.leaf(scope)
        if self.random.random() < 0.4:
            return self.binders(scope, depth - 1)
        return self.operation(scope, depth - 1)


def main() -> None:
    count, seed = int(sys.argv[1]), sys.argv[2]
    for i in range(count):
        terms = Terms(f"{seed} {i}")
        print(terms.term(["free"], terms.random.randint(2, DEPTH)))


if __name__ == "__main__":
    main()
