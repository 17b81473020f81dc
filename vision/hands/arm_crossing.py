"""Tell apart both players' arms while they look like one region in the picture, from meeting to parting."""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray
from vision.hands.limbs import Body, Limb, first_limb, followed

_NEAR, _FAR = 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class _Apart:
    """A frame in which the arms were apart: instant, the near and the far player's cells, picture."""

    t_ns: int
    own: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    gray: Gray


class Meeting:
    """Follows two arms through frames in which they are one region, forwards or backwards in time.

    `cell_mm`: side of a cell of the players' map on the table.
    """

    def __init__(self, cell_mm: float) -> None:
        self._cell_mm = cell_mm
        self._apart: deque[_Apart] = deque(maxlen=2)
        self._limbs: tuple[Limb, Limb] | None = None
        self._t_ns = 0

    def apart(self, near: NDArray[np.bool_], far: NDArray[np.bool_], gray: Gray, t_ns: int) -> None:
        """Note a frame in which the near and the far player's cells (h, w) do not touch."""
        self._limbs = None
        self._apart.append(_Apart(t_ns, (near, far), gray))

    def divided(
        self, inside: NDArray[np.bool_], gray: Gray, t_ns: int
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
        """Return which cells of a region are clearly the near player's, and which the far player's.

        Returns: two masks (h, w); None if no two arms were seen before they met.

        Parameters
        ----------
        inside : (h, w), the region in which the arms have met.
        gray : (h, w), the picture.
        t_ns : its instant.
        """
        if self._limbs is None:
            self._limbs = self._begun(inside)
        if self._limbs is None:
            return None
        step_ms = _step_ms(self._t_ns, t_ns)
        body = Body.of(inside, gray, self._cell_mm)
        self._limbs = self._found_again(followed(self._limbs, body, step_ms), body, inside)
        self._t_ns = t_ns
        rows, columns = np.nonzero(inside)
        near_mm, far_mm = (limb.distance(columns, rows) * self._cell_mm for limb in self._limbs)
        near, far = np.zeros(inside.shape, np.bool_), np.zeros(inside.shape, np.bool_)
        clear_mm = 40.0  # a cell is one limb's if the other one's axis is farther away by this
        within_mm = 45.0  # and its own axis is this near
        near[rows, columns] = (near_mm + clear_mm < far_mm) & (near_mm < within_mm)
        far[rows, columns] = (far_mm + clear_mm < near_mm) & (far_mm < within_mm)
        return near, far

    def _found_again(
        self, limbs: tuple[Limb, Limb], body: Body, inside: NDArray[np.bool_]
    ) -> tuple[Limb, Limb]:
        """Return the limbs; a lost one is searched for again in what the other one does not cover.

        What seemed to be its player's before they met may have been shade, or another hand beside it.
        """
        found = list(limbs)
        for player in (_NEAR, _FAR):
            if body.bears(limbs[player]) or not body.bears(limbs[1 - player]):
                continue
            left = inside & ~body.covered(limbs[1 - player])
            rim = np.zeros_like(left)
            rim[-1 if player == _NEAR else 0] = True
            again = self._limb(_part(left, rim), body.gray, player)
            found[player] = again or limbs[player]
        return found[_NEAR], found[_FAR]

    def _begun(self, inside: NDArray[np.bool_]) -> tuple[Limb, Limb] | None:
        """Return the two limbs just before they met in a region, with their velocities then."""
        if not self._apart:
            return None
        earlier, latest = self._apart[0], self._apart[-1]
        self._t_ns = latest.t_ns
        near, far = (self._moving(player, inside, earlier, latest) for player in (_NEAR, _FAR))
        return None if near is None or far is None else (near, far)

    def _moving(self, player: int, inside: NDArray[np.bool_], earlier: _Apart, latest: _Apart) -> Limb | None:
        """Return a player's limb in the latest frame; its velocity is 0 if it was not seen before."""
        part = _part(latest.own[player], inside)
        limb = self._limb(part, latest.gray, player)
        if limb is None or earlier is latest:
            return limb
        # a hand that came in a moment ago was nowhere near the place where the arms met
        before = self._limb(_part(earlier.own[player], part), earlier.gray, player)
        return limb if before is None else limb.come_from(before.tip, _step_ms(earlier.t_ns, latest.t_ns))

    def _limb(self, own: NDArray[np.bool_], gray: Gray, player: int) -> Limb | None:
        return first_limb(own, gray, from_bottom=player == _NEAR, cell_mm=self._cell_mm)


def _step_ms(one_ns: int, other_ns: int) -> float:
    shortest_ms = 1.0  # between two frames
    return max(abs(other_ns - one_ns) / 1e6, shortest_ms)


def _part(own: NDArray[np.bool_], inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the connected part of a player's cells that covers most of a region."""
    _, number = cv2.connectedComponents(own.astype(np.uint8))
    shared = np.bincount(number[inside], minlength=2)
    shared[0] = 0
    return np.asarray((number == shared.argmax()) & (number > 0))
