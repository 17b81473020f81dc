"""The one thread that goes through what a table shows; whoever watches a table listens to it."""

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing

from calibration.clocks.timing import rate_since
from desk.tables.table import Cue, Table
from referee.facts import Gap
from vision.frames.frame import Frame


class WatchThread:
    """Takes what a table shows until `take` returns True, the table is over, or it fails."""

    def __init__(
        self,
        table: Table,
        take: Callable[[Frame | Gap | Cue], bool],
        *,
        over: Callable[[], None] = lambda: None,
        failed: Callable[[Exception], None] = lambda _: None,
    ) -> None:
        self._table, self._take, self._over, self._failed = table, take, over, failed
        self.ending = threading.Event()
        self.latest: Frame | None = None
        self.failure: Exception | None = None
        self.shown_s: deque[float] = deque(maxlen=512)
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def begin(self) -> None:
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def leave(self) -> None:
        """End, and leave the table open. Blocks until the item that was taken last is done with."""
        self.ending.set()
        if self._thread.is_alive():
            self._thread.join()

    def close(self) -> None:
        """End and close the table; blocks as `leave` does."""
        self.ending.set()
        self._table.close()
        self.leave()

    def show(self, frame: Frame) -> None:
        """Wait until a picture is due, and note when it was."""
        self._table.show(frame)
        self.shown_s.append(time.perf_counter())
        self.latest = frame

    def fps(self, over_s: float) -> float | None:
        """Return the pictures a second over the last seconds, None if hardly any came."""
        return rate_since(tuple(self.shown_s), time.perf_counter() - over_s)

    def _run(self) -> None:
        try:
            with closing(iter(self._table.happenings())) as items:  # type: ignore[type-var]
                for item in items:
                    if self.ending.is_set() or self._take(item) or self.ending.is_set():
                        return
            self._over()
        except Exception as error:  # noqa: BLE001 (told to the listener, which shows it to people)
            self.failure = error
            self._failed(error)
