"""Collects from the code what it refuses, and says where a refusal is in English alone."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import desk

ROOMS = [
    Path(desk.__file__).parents[1] / room
    for room in ["calibration", "desk", "recitation", "referee", "vision"]
]
OF_THE_PROGRAM = {
    "ValueError": "a caller's mistake; those that wrap a file's fault are sentences",
    "TypeError": "a caller's mistake",
    "KeyError": "a caller's mistake",
    "IndexError": "a caller's mistake",
    "EOFError": "a file ends too early: the next `except` says it in a sentence",
    "RuntimeError": "a fault of the program",
    "ArgumentTypeError": "argparse writes English around it",
    "FilmRefusedError": "its text is the id of a phrase of the page",
    "ScribeError": "a fault of the program, which no page shows",
    "HTTPException": "the program of a page asked wrongly",
}
"""Errors that need no second language, each with its reason."""


@cache
def modules() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for room in ROOMS for path in sorted(room.rglob("*.py"))}


@cache
def spoken() -> frozenset[str]:
    """Return the names of the classes whose first argument is a text to be translated."""
    bases = {
        node.name: {ast.unparse(base).split(".")[-1] for base in node.bases}
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found: set[str] = {"SentenceError"}
    while more := {name for name, of in bases.items() if of & found} - found:
        found |= more
    return frozenset(found - set(OF_THE_PROGRAM)) | {"Sentence", "flagged", "refusal", "wrapping"}


@cache
def told_plainly() -> frozenset[str]:
    """Return the names of functions that return a plain text, which has one language."""
    returned: dict[str, set[str]] = {}
    for tree in modules().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                returned.setdefault(node.name, set()).add(ast.unparse(node.returns))
    return frozenset(name for name, types in returned.items() if types == {"str"})


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func).split(".")[-1]


def texts_of(node: ast.expr) -> Iterator[str]:
    """Iterate over the texts that an argument may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts_of(node.body)
        yield from texts_of(node.orelse)


def said() -> set[str]:
    """Return every text of a sentence in the code, and of the help of commands and their options."""
    return {
        text
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.args
        for said in told_by(node)
        for text in texts_of(said)
        if text
    }


def told_by(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call that people read in their language."""
    name = name_of(call)
    if name in spoken() or name == "add_argument_group":
        return call.args[:2] if name == "add_argument_group" else call.args[:1]
    helps = [keyword.value for keyword in call.keywords if keyword.arg == "help"]
    return call.args[1:2] if name == "Command" else helps


def in_english_alone() -> Iterator[str]:
    """Iterate over the refusals that only English has, and those that quote another program's English."""
    for path, tree in modules().items():
        for node, caught in walked(tree, frozenset()):
            if not isinstance(node, ast.Call) or not (
                name_of(node) in spoken() or (name_of(node).endswith("Error") and node.args)
            ):
                continue
            kind = name_of(node)
            for value in node.args:
                is_plain = (
                    isinstance(value, ast.JoinedStr)
                    or (isinstance(value, ast.Call) and name_of(value) in told_plainly())
                    or (kind not in spoken() and [*texts_of(value)])
                )
                if is_plain and kind not in OF_THE_PROGRAM:
                    yield f"{path.name}:{node.lineno} {ast.unparse(value)}"
            for value in (*node.args, *(keyword.value for keyword in node.keywords)):
                if kind in spoken() and {*names_in(value)} & caught:
                    yield f"{path.name}:{node.lineno} {ast.unparse(value)}: say sentence_of(...)"


def names_in(value: ast.expr) -> Iterator[str]:
    """Iterate over the names that a value is made of, if it is a caught error or its text."""
    if isinstance(value, ast.Name):
        yield value.id
    elif isinstance(value, ast.Call) and ast.unparse(value.func) in {"str", "repr"}:
        yield from (name for argument in value.args for name in names_in(argument))
    elif isinstance(value, ast.Attribute) and value.attr in {"strerror", "args"}:
        yield from names_in(value.value)
    elif isinstance(value, ast.BoolOp):
        yield from (name for part in value.values for name in names_in(part))


def walked(node: ast.AST, caught: frozenset[str]) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """Iterate over a tree's nodes, each with the names of the errors that are caught around it."""
    if isinstance(node, ast.ExceptHandler) and node.name:
        caught |= {node.name}
    yield node, caught
    for child in ast.iter_child_nodes(node):
        yield from walked(child, caught)
