"""Places for cards at a Koi-Koi table: slots in the middle, fans of captured cards, never tidy."""

from typing import Final

import numpy as np

from vision.plane.printed_table import Edge, KoiKoiTable, middle
from vision.simulator.cardtable.koikoi.game import group, matches
from vision.simulator.cardtable.looks import Look
from vision.simulator.cardtable.script import Pose
from vision.simulator.drawing.paths import Floats

_COLUMNS: Final = 6


class Places:
    """Finds a place for every card, with the untidiness of a look."""

    def __init__(self, zones: KoiKoiTable, look: Look, rng: np.random.Generator) -> None:
        self._zones, self._look, self._rng = zones, look, rng
        self._fan_mm = float(rng.uniform(*look.fan_mm))
        self._lying: dict[int, Pose] = {}
        self._piles: list[list[list[int]]] = []
        self.clear()

    def clear(self) -> None:
        """Forget the cards of the last round."""
        self._lying = {}
        self._piles = [[[], [], [], []] for _ in range(self._zones.players)]

    def deal(self, dealt: tuple[int, ...]) -> dict[int, Pose]:
        """Lay out the first cards, each in a slot, three of a month as a fan in one."""
        poses: dict[int, Pose] = {}
        stack_mm = 17.0  # between cards of one month that share a slot
        for card in dealt:
            same = [other for other in matches(card, dealt) if other in poses]
            if len(matches(card, dealt)) == 3 and same:
                under = poses[same[-1]]
                poses[card] = self._jittered(
                    np.array([under.x_mm + stack_mm, under.y_mm]), under.angle, 1.0, 1.5
                )
            else:
                room = 2 if len(matches(card, dealt)) == 3 else 0
                poses[card] = self._in_slot(self._free_slot(poses, room), Edge.BOTTOM)
        self._lying = dict(poses)
        return poses

    def on_field(self, card: int, on: int | None, edge: Edge) -> Pose:
        """Return where a card is laid: half over the card it takes, or in a free slot."""
        if on is not None:
            under = self._lying[on]
            knock_mm = (6.0, 14.0)
            knock = self._rng.uniform(*knock_mm, 2) * self._rng.choice([-1, 1], 2)
            pose = self._jittered(np.array([under.x_mm, under.y_mm]) + knock, edge.value, 0.0, 5.0)
        else:
            pose = self._in_slot(self._free_slot(self._lying, 0), edge)
        self._lying[card] = pose
        return pose

    def on_turn(self, edge: Edge) -> Pose:
        """Return where a drawn card is turned up."""
        look = self._look
        return self._jittered(middle(self._zones.turn), edge.value, look.slip_mm, look.slot_turn_deg)

    def on_strip(self, card: int, seat: int) -> Pose:
        """Return where a captured card is laid, and count it there."""
        self._lying.pop(card, None)
        edge, strip = self._zones.edges[seat], self._zones.capture[seat]
        length, depth = strip[2] - strip[0], strip[3] - strip[1]
        if edge in {Edge.LEFT, Edge.RIGHT}:
            length, depth = depth, length
        kind = group(card)
        pile = self._piles[seat][kind]
        group_widths = (0.17, 0.25, 0.25, 0.33)  # shares of a strip for lights, animals, ribbons, chaff
        left = sum(group_widths[:kind]) * length - length / 2
        card_mm = (33.0, 54.0)
        room = group_widths[kind] * length - card_mm[0] - 6
        a_row = max(1, int(room // self._fan_mm) + 1)
        rows = max(1, int(depth // (card_mm[1] + 2)))
        row, place = divmod(len(pile), a_row)
        past = 0.0
        if row >= rows:  # a third row lies over the first
            row, past = row % rows, 0.5
        pile.append(card)
        across = left + card_mm[0] / 2 + 4 + (place + past) * self._fan_mm
        forward = (rows - 1) / 2 * (card_mm[1] + 3) - row * (card_mm[1] + 3)
        at = middle(strip) + edge.right * across + edge.ahead * forward
        return self._jittered(at, edge.value, 0.8, self._look.pile_turn_deg)

    def _free_slot(self, lying: dict[int, Pose], room: int) -> Floats:
        """Return the centre of an empty slot, with `room` empty slots beside it if possible."""
        slots = self._slots()
        taken = np.array([[pose.x_mm, pose.y_mm] for pose in lying.values()]).reshape(-1, 2)
        gaps = [np.hypot(*(taken - slot).T).min(initial=1e3) for slot in slots]
        free = [index for index, gap in enumerate(gaps) if gap > 46.0]
        if room:
            roomy = [index for index in free if index % _COLUMNS + 1 < _COLUMNS and index + 1 in free]
            free = roomy or free
        if not free:
            return np.asarray(slots[int(np.argmax(gaps))])
        return np.asarray(slots[int(self._rng.choice(free))])

    def _slots(self) -> list[Floats]:
        left, top, right, bottom = self._zones.field
        rows = 2
        pitch_x, pitch_y = (right - left) / _COLUMNS, (bottom - top) / rows
        return [
            np.array([left + (column + 0.5) * pitch_x, top + (row + 0.5) * pitch_y])
            for row in range(rows)
            for column in range(_COLUMNS)
        ]

    def _in_slot(self, slot: Floats, edge: Edge) -> Pose:
        turned = np.pi if self._rng.random() < 0.3 else 0.0
        facing = edge.value if edge in {Edge.BOTTOM, Edge.TOP} else 0.0
        look = self._look
        return self._jittered(slot, facing + turned, look.slip_mm, look.slot_turn_deg)

    def _jittered(self, at: Floats, angle: float, slip_mm: float, turn_deg: float) -> Pose:
        x, y = at + self._rng.normal(0, 1, 2).clip(-2, 2) * slip_mm
        turn = float(np.clip(self._rng.normal(0, 1), -2, 2)) * np.deg2rad(turn_deg)
        return Pose(float(x), float(y), float(angle + turn))
