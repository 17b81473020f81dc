"""The mats that the reader waits for."""

from __future__ import annotations

from dataclasses import dataclass

from desk.hall.messages import MatState

SILENT_S = 8.0  # mats send their state every 2 s; a mat that is silent for this long has lost the link
_ON_ITS_WAY_S = 2.0  # for this long after a poem began, a mat's ready may still refer to the previous poem


@dataclass(frozen=True, slots=True)
class Call:
    """The mats that delay the next poem, each under one reason."""

    unready: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()  # mats where a player asks the reader to wait
    silent: tuple[str, ...] = ()  # mats that take part and have gone silent

    @property
    def waits_for(self) -> tuple[str, ...]:
        """All of these mats, in the order of their names."""
        return tuple(sorted({*self.unready, *self.hands, *self.silent}))


@dataclass
class _Mat:
    state: MatState
    at_s: float
    joined: bool
    left: bool = False


class Attendance:
    """The mats that take part in the reading, and whether they are ready.

    Before the first poem, the reader waits for every mat whose match has begun. Later, a mat joins when it is
    ready for the first time, so that a mat that still memorises delays nobody. A mat leaves when its match is
    over. The reader waits for a silent mat only once: if it reads on without the mat, the mat has left until
    its next message.
    """

    def __init__(self, session: str) -> None:
        self._session = session
        self._mats: dict[str, _Mat] = {}
        self._number = 0
        self._begun_s = 0.0

    def told(self, state: MatState, now_s: float) -> None:
        """Receive the state of a mat; `now_s` is on any monotonic clock."""
        known = self._mats.get(state.mat)
        if not state.follows:
            self._mats.pop(state.mat, None)
            return
        joined = self._number == 0 or state.ready or (known is not None and known.joined)
        same_match = known is not None and known.state.match == state.match
        if known is not None and not same_match and self._number:
            joined = state.ready  # the next match of the same mat joins anew
        self._mats[state.mat] = _Mat(state, now_s, joined)

    def begun(self, number: int, now_s: float) -> None:
        """Note that a reading has begun to sound."""
        self._number, self._begun_s = number, now_s

    def left_behind(self, now_s: float) -> None:
        """Note that the reader reads on: silent mats have left."""
        for mat in self._mats.values():
            mat.left = mat.left or now_s - mat.at_s > SILENT_S

    @property
    def count(self) -> int:
        """Number of mats that take part."""
        return sum(mat.joined and not mat.left for mat in self._mats.values())

    def call(self, now_s: float) -> Call:
        """Return the mats that delay the next poem."""
        unready, hands, silent = list[str](), list[str](), list[str]()
        for name, mat in self._mats.items():
            if not mat.joined or mat.left:
                continue
            if now_s - mat.at_s > SILENT_S:
                silent.append(name)
            elif mat.state.hands:
                hands.append(name)
            elif not self._is_ready(mat):
                unready.append(name)
        return Call(tuple(unready), tuple(hands), tuple(silent))

    def _is_ready(self, mat: _Mat) -> bool:
        heard = mat.state.heard if mat.state.session == self._session else 0
        is_of_now = heard == self._number or mat.at_s - self._begun_s >= _ON_ITS_WAY_S
        return mat.state.ready and is_of_now
