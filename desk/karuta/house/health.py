"""The health of a running match for the panel: figures, and warnings for people."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from desk.karuta.engine.engine import Engine
from desk.karuta.eye.watcher import Watch
from desk.karuta.readers.reader import Reader
from desk.log.clocks import Clock
from desk.panel.match.port import HallLink, Health

_SLOW = 0.8  # the panel warns below this part of the promised pictures per second
_LATE_NS = 300_000_000
_HIDDEN_SHARE, _HIDDEN_NS = 0.6, 4_000_000_000
"""If fewer of the cards than this part are in sight for this long, something hides them: a player who sweeps
a territory clears less of the field, or lays the cards back sooner."""


@dataclass(eq=False)
class MatchHealth:
    """Collects the state of the eye, the reader and the hall; runs in the loop, except `failure`.

    `failure`: why the eye has stopped before the match was over, None while it works. `unkept`: whether the
    log could not store the latest event. `evidence_lost`: whether the latest replay could not be stored.
    """

    engine: Engine
    watch: Watch | None
    reader: Reader
    clock: Clock
    hall_link: Callable[[], HallLink] | None
    failure: Exception | None = None
    unkept: bool = False
    evidence_lost: bool = False
    _hidden_since_ns: int | None = None

    def look_for_hidden_cards(self, now_ns: int, *, is_playing: bool) -> None:
        """Note since when the eye has read far fewer cards than there are: something hides them."""
        seen = None if self.watch is None or not is_playing else self.watch.cards_in_sight
        if seen is None or seen >= _HIDDEN_SHARE * len(self.engine.state.home):
            self._hidden_since_ns = None
        elif self._hidden_since_ns is None:
            self._hidden_since_ns = now_ns

    def told(self) -> Health:
        table = None if self.watch is None else self.watch.table
        health: Health = {
            "now_ns": self.clock(),
            "fps": None if self.watch is None else self.watch.fps,
            "fps_nominal": None if table is None else table.nominal_fps,
            "dropped": 0 if table is None else table.dropped,
            "late_ms": None if table is None else table.late_ns / 1e6,
            "warnings": list(dict.fromkeys(self._warnings())),
        }
        if self.hall_link is not None:
            health["hall"] = self.hall_link()
        return health

    def _warnings(self) -> Iterator[str]:
        if self.watch is not None:
            yield from self._of_the_eye(self.watch)
        if self.unkept:
            yield "not_kept"
        if self.evidence_lost:
            yield "no_evidence"
        if self.reader.problem is not None:
            yield self.reader.warning

    def _of_the_eye(self, watch: Watch) -> Iterator[str]:
        fps, nominal, table = watch.fps, watch.table.nominal_fps, watch.table
        if fps is not None and nominal and fps < _SLOW * nominal:
            yield "low_fps"
        if self.failure is not None or table.problem is not None:
            yield "no_signal"
        elif watch.sees_no_card:
            yield "no_card_read"
        if not table.can_wait and table.late_ns > _LATE_NS:
            yield "late"
        yield from watch.checks.warnings()
        if self._hidden_since_ns is not None and self.clock() - self._hidden_since_ns > _HIDDEN_NS:
            yield "view_blocked"
        if watch.beside.problem is not None:
            yield "no_witness"
        if watch.beside.ear_problem is not None:
            yield "no_ear"
