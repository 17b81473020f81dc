"""Small changes of the code: one comparison, sign, number, condition or connective each."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_SWAPPED: dict[type[ast.AST], Callable[[], Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub,
    ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: in `path`, the bytes from `start` to `end` become `new`; lines count from 1."""

    path: Path
    line: int
    last_line: int
    start: int
    end: int
    old: str
    new: str

    def applied(self) -> str:
        """Return the changed file."""
        text = (ROOT / self.path).read_bytes()
        return (text[: self.start] + self.new.encode() + text[self.end :]).decode()

    @property
    def code(self) -> str:
        """The line that is changed."""
        return (ROOT / self.path).read_text("utf-8").splitlines()[self.line - 1].strip()

    @property
    def module(self) -> str:
        """The name by which the changed module is imported."""
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")

    @property
    def change(self) -> str:
        """What becomes what, in one line."""
        return f"{' '.join(self.old.split())} -> {' '.join(self.new.split())}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.change}"


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
            yield Mutant(
                path,
                node.lineno,
                node.end_lineno or node.lineno,
                start,
                end,
                old,
                f"({ast.unparse(changed)})",
            )


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
                yield ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in _SWAPPED:
        yield ast.BinOp(node.left, _SWAPPED[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(_SWAPPED[type(node.op)](), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)


def sample(folders: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Return mutants of the modules in some folders, drawn evenly over all that there are."""
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    known = [mutant for path in paths for mutant in mutants_of(path.relative_to(ROOT))]
    return random.Random(seed).sample(known, min(count, len(known)))
