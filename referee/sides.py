"""The two seats of a table, and values that exist once per seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Side(StrEnum):
    """A seat, named from the camera's picture: NEAR sits at the bottom edge, FAR at the top."""

    NEAR = "near"
    FAR = "far"

    @property
    def opponent(self) -> Side:
        return Side.FAR if self is Side.NEAR else Side.NEAR


@dataclass(frozen=True, slots=True)
class BySide(Generic[T]):
    """One value for each seat, so that no rule is written twice with the seats exchanged."""

    near: T
    far: T

    @classmethod
    def both(cls, value: T) -> BySide[T]:
        """Give both seats the same value."""
        return cls(value, value)

    @classmethod
    def of(cls, compute: Callable[[Side], T]) -> BySide[T]:
        """Call `compute` with each seat."""
        return cls(compute(Side.NEAR), compute(Side.FAR))

    def __getitem__(self, side: Side) -> T:
        return self.near if side is Side.NEAR else self.far

    def replaced(self, side: Side, value: T) -> BySide[T]:
        """Return the pair with `value` in the place of `side`'s value."""
        return BySide(value, self.far) if side is Side.NEAR else BySide(self.near, value)

    def map(self, change: Callable[[T], U]) -> BySide[U]:
        """Apply `change` to both values."""
        return BySide(change(self.near), change(self.far))

    def swap(self) -> BySide[T]:
        """Exchange the seats."""
        return BySide(self.far, self.near)

    def items(self) -> Iterator[tuple[Side, T]]:
        """Iterate over `(side, value)`, near first."""
        yield Side.NEAR, self.near
        yield Side.FAR, self.far
