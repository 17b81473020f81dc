"""Switches a rule off, or counts how often rules say anything at all."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from ablation.rules import Rule


def found(rule: Rule) -> tuple[Any, str]:
    """Return the module or class that holds a rule, and the rule's name there.

    Raises AttributeError, ImportError when there is no such rule: the eye has changed, and the table of rules
    has not.
    """
    module, _, path = rule.place.partition(":")
    *owners, name = path.split(".")
    holder = import_module(module)
    for owner in owners:
        holder = getattr(holder, owner)
    getattr(holder, name)
    return holder, name


@contextmanager
def switched_off(rule: Rule | None) -> Iterator[None]:
    """Leave a rule out for a while; None leaves everything in."""
    if rule is None:
        yield
        return
    with _replaced(rule, lambda _: rule.off):
        yield


@contextmanager
def watched(rules: Sequence[Rule]) -> Iterator[Counter[str]]:
    """Count by its name how often each rule answers otherwise than it would if it were off.

    A rule that never does is worth nothing in what was seen, and need not be tried. Numbers always count.
    """
    counts: Counter[str] = Counter(rule.name for rule in rules if rule.is_number)
    with ExitStack() as stack:
        for rule in rules:
            if not rule.is_number:
                stack.enter_context(_replaced(rule, _counted(rule, counts)))
        yield counts


@contextmanager
def _replaced(rule: Rule, replacement: Callable[[Any], Any]) -> Iterator[None]:
    holder, name = found(rule)
    original = getattr(holder, name)
    setattr(holder, name, replacement(original))
    try:
        yield
    finally:
        setattr(holder, name, original)


def _counted(rule: Rule, counts: Counter[str]) -> Callable[[Any], Any]:
    """Return what turns a rule's function into one that counts; what only acts on others always counts."""
    off: Any = rule.off

    def counting(original: Any) -> Any:
        is_told = not inspect.isgeneratorfunction(original)
        is_told = is_told and original.__annotations__.get("return") not in (None, "None")

        @wraps(original)
        def asked(*arguments: Any, **named: Any) -> Any:
            answer = original(*arguments, **named)
            if not (is_told and _alike(answer, off(*arguments, **named))):
                counts[rule.name] += 1
            return answer

        return asked

    return counting


def _alike(one: Any, other: Any) -> bool:
    """Tell whether two answers are surely the same."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    try:
        return bool(one == other)
    except ValueError:  # arrays inside
        return False
