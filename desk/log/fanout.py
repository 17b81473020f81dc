"""Waking listeners without ever waiting for them: what is new, each of them reads from the log."""

from collections.abc import Callable


class Fanout:
    """Wakes every listener."""

    def __init__(self) -> None:
        self._wakes: dict[object, Callable[[], None]] = {}

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after all news until the returned function is called.

        `wake` must return at once, such as `asyncio.Event().set`.
        """
        listener = object()
        self._wakes[listener] = wake

        def leave() -> None:
            self._wakes.pop(listener, None)

        return leave

    def tell(self) -> None:
        for wake in tuple(self._wakes.values()):
            wake()
