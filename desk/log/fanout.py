"""Passing news to listeners without ever waiting for them.

Every listener has a bounded queue of its own. A slow listener loses the oldest news; the loss is counted and
shown, and the lost news can be read from the event log.
"""

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Listener(Generic[T]):
    """A bounded queue of news for one listener.

    `capacity`: how many items it keeps at most. `lost`: how many items it lost because they were not taken in
    time.
    """

    def __init__(self, capacity: int, wake: Callable[[], None] | None = None) -> None:
        self.capacity = capacity
        self.lost = 0
        self._items: deque[T] = deque()
        self._wake = wake

    def put(self, item: T) -> None:
        """Queue an item, at the cost of the oldest one if the queue is full, and wake the listener."""
        if len(self._items) == self.capacity:
            self._items.popleft()
            self.lost += 1
        self._items.append(item)
        if self._wake is not None:
            self._wake()

    def take(self) -> list[T]:
        items = list(self._items)
        self._items.clear()
        return items


class Fanout(Generic[T]):
    """Passes the same news to every listener."""

    def __init__(self) -> None:
        self._listeners: list[Listener[T]] = []

    def listen(self, capacity: int = 256, wake: Callable[[], None] | None = None) -> Listener[T]:
        """Return a new listener.

        `capacity`: how many items it may fall behind before it loses the oldest. `wake`: called after each
        item; must return at once, such as `asyncio.Event().set`.
        """
        listener: Listener[T] = Listener(capacity, wake)
        self._listeners.append(listener)
        return listener

    def leave(self, listener: Listener[T]) -> None:
        """Stop telling a listener. Leaving twice does no harm."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def tell(self, item: T) -> None:
        for listener in tuple(self._listeners):
            listener.put(item)

    @property
    def lost(self) -> int:
        """Number of items that the present listeners have lost, all together."""
        return sum(listener.lost for listener in self._listeners)
