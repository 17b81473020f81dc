"""How many small changes of the code its tests notice.

`uv run python -m benchmarks.mutants [--scope rules] [--mutants 20] [--seed 1] [--json OUT]`

A mutant is the code with one comparison, sign, number, condition or connective changed. The tests of its
folder run in a copy of the checkout and should fail; a mutant that they let pass survives and is printed: it
needs a test, or a reason why it changes nothing. The same seed makes the same mutants.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_COPIED = ("benchmarks", "calibration", "desk", "recitation", "referee", "tests", "tools", "vision")
_LONGEST_S = 300
"""Tests that take so long hang, and have noticed."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Code that is changed, and the tests that should notice."""

    code: tuple[str, ...]
    tests: tuple[str, ...]


SCOPES = {
    "rules": Scope(("referee",), ("tests/referee",)),
    "log": Scope(("desk/log",), ("tests/desk/log", "tests/desk/commands/test_log.py")),
    "engine": Scope(("desk/karuta/engine",), ("tests/desk/karuta/engine",)),
    "reading": Scope(("recitation/reading",), ("tests/recitation/reading",)),
}
_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub,
    ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: in `path`, the text from `start` to `end` becomes `new`."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str

    def applied(self) -> str:
        """Return the changed file."""
        text = (ROOT / self.path).read_bytes()
        return (text[: self.start] + self.new.encode() + text[self.end :]).decode()

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.old.split())}  ->  {' '.join(self.new.split())}"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a module; what is only said (docstrings, messages, types) is left alone."""
    text = (ROOT / path).read_text("utf-8")
    begins = [0]
    for line in text.encode().splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    for node in _computing(ast.parse(text)):
        for changed in _changes(node):
            start = begins[node.lineno - 1] + node.col_offset
            end = begins[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)
            old = text.encode()[start:end].decode()
            yield Mutant(path, node.lineno, start, end, old, f"({ast.unparse(changed)})")


def _computing(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that compute something."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Raise | ast.Assert | ast.JoinedStr):
            continue
        if isinstance(child, ast.AnnAssign):
            yield from _computing(ast.Expression(child.value)) if child.value is not None else ()
        elif isinstance(child, ast.FunctionDef):
            for part in (*child.args.defaults, *(each for each in child.args.kw_defaults if each)):
                yield from _computing(ast.Expression(part))
            for statement in child.body:
                yield from _computing(ast.Module([statement], []))
        elif isinstance(child, ast.ClassDef):
            yield from _computing(ast.Module(child.body, []))
        else:
            if isinstance(child, ast.expr):
                yield child
            yield from _computing(child)


def _changes(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the node changed in every way that there is."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            if type(operator) in _SWAPPED:
                ops = [*node.ops[:place], _SWAPPED[type(operator)](), *node.ops[place + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)  # type: ignore[arg-type]
    elif isinstance(node, ast.BinOp) and type(node.op) in _SWAPPED:
        yield ast.BinOp(node.left, _SWAPPED[type(node.op)](), node.right)  # type: ignore[arg-type]
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(_SWAPPED[type(node.op)](), node.values)  # type: ignore[arg-type]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)


def sample(scope: Scope, count: int, seed: int) -> list[Mutant]:
    """Return mutants of a scope, drawn evenly over all that there are."""
    paths = [path for folder in scope.code for path in sorted((ROOT / folder).rglob("*.py"))]
    known = [mutant for path in paths for mutant in mutants_of(path.relative_to(ROOT))]
    return random.Random(seed).sample(known, min(count, len(known)))


def survives(mutant: Mutant, scope: Scope, copy: Path) -> bool:
    """Tell whether the tests pass with a mutant in a copy of the checkout."""
    target = copy / mutant.path
    target.write_text(mutant.applied(), "utf-8")
    try:
        return _passes(scope, copy, mutant.path.parent)
    finally:
        shutil.copyfile(ROOT / mutant.path, target)


def _passes(scope: Scope, copy: Path, first: Path | None = None) -> bool:
    """Run the tests of a scope, those of one folder first: they most likely notice."""
    nearest = [] if first is None or not (copy / "tests" / first).is_dir() else [f"tests/{first}"]
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *nearest, *scope.tests]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(copy)}
    try:
        done = subprocess.run(
            words, cwd=copy, capture_output=True, check=False, timeout=_LONGEST_S, env=environment
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def copied(folder: Path) -> Path:
    """Copy what the tests need into a folder and return it."""
    for name in _COPIED:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what survived; 1 where anything did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--scope", choices=SCOPES, default="rules")
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args(arguments)
    scope = SCOPES[options.scope]
    chosen = sample(scope, options.mutants, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        if not _passes(scope, copy):
            print("the tests fail without any change: mend them first")
            return 2
        survivors = []
        for mutant in chosen:
            if survives(mutant, scope, copy):
                survivors.append(mutant)
                print(f"survives  {mutant}", flush=True)
    print(f"{options.scope}: {len(chosen) - len(survivors)} of {len(chosen)} killed")
    if options.json is not None:
        told = {"scope": options.scope, "mutants": len(chosen), "survivors": list(map(str, survivors))}
        options.json.write_text(json.dumps(told, indent=1), "utf-8")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
