"""Play a bout of the Kendo cards on a simulated table: moves become timed tracks of cards and hands.

The moves are given; this module knows where cards are laid and how long hands take, but no rules.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from calibration.decks.deck import Deck
from vision.plane.printed_table import KENDO_TABLE, KendoTable, middle
from vision.simulator.cardtable.film import Film
from vision.simulator.cardtable.looks import LOOKS, Look
from vision.simulator.cardtable.recording import head_of, write_table_recording
from vision.simulator.cardtable.script import CARRY_MM, DOWN, UP, Pose, Script, Stage, Track, home, ms
from vision.simulator.cardtable.surface import BACK, CardSet, plain_back
from vision.simulator.drawing.film_file import Codec
from vision.simulator.drawing.style import chosen

_TURN: Final = np.pi / 2


Kind = Literal["reveal", "lay", "take_back", "sweep", "mark", "draw", "say"]


@dataclass(frozen=True, slots=True)
class KendoMove:
    """One action."""

    # in `reveal` each seat lays a brown card and takes it up again; a seat can `lay` cards, `take_back` its
    # latest, `sweep` the court, put or turn a `mark` before itself, `draw` from a pile, or `say` a word
    kind: Kind
    seat: int  # who acts; in a reveal the seat that puts its card down first
    # the faces that are laid; in a reveal those of seat 0 and seat 1; the face of a mark
    faces: tuple[str, ...] = ()
    word: str = ""
    pile: int = 1  # 0 brown, 1 red, 2 green


@dataclass
class KendoFilmed:
    """A script with its truth."""

    script: Script
    faces: list[str] = field(default_factory=list)
    declarations: list[dict[str, Any]] = field(default_factory=list)  # lines of `declarations.jsonl`
    # every move with the instant at which it was done, `t_ms`
    moves: list[dict[str, Any]] = field(default_factory=list)


def film_bout(moves: Sequence[KendoMove], look: Look, *, seed: int, pace: float = 1.0) -> KendoFilmed:
    """Turn moves into timed tracks.

    `moves`: the actions, in order. `look`: how tidily the players lay cards. `pace`: factor on all durations;
    1 for unhurried people.
    """
    stage = _KendoStage(KENDO_TABLE, look, np.random.default_rng(seed), pace)
    for move in moves:
        stage.do(move)
    return stage.finished()


class _KendoStage(Stage):
    def __init__(self, table: KendoTable, look: Look, rng: np.random.Generator, pace: float) -> None:
        super().__init__(table, rng, pace)
        self._look, self._places = look, table
        self._filmed = KendoFilmed(self._script)
        self._plays: tuple[list[list[int]], list[list[int]]] = ([], [])
        self._done: list[int] = []
        self._marks: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
        self._ways: dict[Kind, Callable[[KendoMove], None]] = {
            "reveal": self._reveal, "lay": self._lay, "take_back": self._take_back, "sweep": self._sweep,
            "mark": self._mark, "draw": self._draw,
        }  # fmt: skip
        for pile in table.piles:
            self._new("back", _lying(middle(pile), 0.0, z_mm=9.0, flip=DOWN))
        for seat in (0, 1):
            self._marks[seat]["score"] = [self._new("hajime", self._mark_pose(seat, 0))]

    def do(self, move: KendoMove) -> None:
        self._wait(0.35, 0.9)
        if move.kind != "say":  # nothing moves when somebody speaks
            self._ways[move.kind](move)
        self._filmed.moves.append(
            {"t_ms": ms(self._now_s), "kind": move.kind, "seat": move.seat, "faces": list(move.faces)}
        )
        if move.kind == "say":
            self._filmed.declarations.append(
                {"t_ms": ms(self._now_s), "player": move.seat, "what": move.word}
            )
        else:
            self._withdraw(move.seat)

    def finished(self) -> KendoFilmed:
        self._wait(2.0, 2.4)
        self._script.length_s = self._now_s
        return self._filmed

    # --- moves -------------------------------------------------------------------------------------------

    def _reveal(self, move: KendoMove) -> None:
        order = (move.seat, 1 - move.seat)
        cards = {}
        for seat in order:
            cards[seat] = self._from_hand(seat, move.faces[seat], DOWN)
            self._carry(seat, [(cards[seat], self._court_pose(seat, 0, 0, flip=DOWN))], 0.5, 0.7)
            self._withdraw(seat)
        for seat in order:
            at = self._script.cards[cards[seat]].poses[-1]
            self._reach(seat, (at.x_mm, at.y_mm), 0.5)
            half = Pose(at.x_mm, at.y_mm, at.angle, 30.0, _TURN)
            self._carry(seat, [(cards[seat], half)], 0.2, 0.3)
            self._carry(seat, [(cards[seat], Pose(at.x_mm, at.y_mm, at.angle, 0.0, UP))], 0.2, 0.3)
            self._withdraw(seat)
        self._wait(0.8, 1.4)
        for seat in order:
            self._take_up(seat, [cards[seat]])
            if seat != move.seat:
                self._withdraw(seat)

    def _lay(self, move: KendoMove) -> None:
        place = len(self._plays[move.seat])
        laid: list[int] = []
        at_once = self._rng.random() < 0.4
        for number, name in enumerate(move.faces):
            card = self._from_hand(move.seat, name, UP)
            laid.append(card)
            self._carry(move.seat, [(card, self._court_pose(move.seat, place, number))], 0.45, 0.7)
            if number + 1 < len(move.faces) and not at_once:
                self._withdraw(move.seat)
                self._wait(0.1, 0.4)
        self._plays[move.seat].append(laid)

    def _take_back(self, move: KendoMove) -> None:
        self._wait(1.6, 2.2)
        cards = self._plays[move.seat].pop()
        at = self._script.cards[cards[-1]].poses[-1]
        self._reach(move.seat, (at.x_mm, at.y_mm), 0.5)
        self._take_up(move.seat, cards)

    def _sweep(self, move: KendoMove) -> None:
        x, y = middle(self._places.court[move.seat])
        self._reach(move.seat, (x + 200, y), 0.5)
        pile = _lying(middle(self._places.stock), 0.0, z_mm=4.0)
        cards = [card for seat in (0, 1) for play in self._plays[seat] for card in play]
        held = [(card, Pose(x - 200, y - 4.0 * place, 0.1, CARRY_MM)) for place, card in enumerate(cards)]
        self._carry(move.seat, held, 0.8, 1.1)
        self._carry(move.seat, [(card, pile) for card in cards], 0.5, 0.7)
        # the last one lies visibly on top
        *under, top = cards
        for card in (*under, *self._done):
            self._script.cards[card].gone_s = self._now_s
        self._done = [top]
        for plays in self._plays:
            plays.clear()

    def _mark(self, move: KendoMove) -> None:
        """Turn HAJIME to IPPON or back, lay a HANSOKU down, or take the HANSOKU away."""
        (name,) = move.faces
        marks = self._marks[move.seat]
        if name in {"hajime", "ippon"}:
            old = marks["score"][0]
            at = self._script.cards[old].poses[-1]
            self._reach(move.seat, (at.x_mm, at.y_mm), 0.5)
            self._script.cards[old].gone_s = self._now_s + 0.05
            self._now_s += 0.05
            marks["score"] = [self._new(name, at)]
        elif name == "hansoku":
            fouls = marks.setdefault("hansoku", [])
            card = self._from_hand(move.seat, name, UP)
            fouls.append(card)
            self._carry(move.seat, [(card, self._mark_pose(move.seat, len(fouls)))], 0.5, 0.7)
        else:
            fouls = marks.pop("hansoku")
            at = self._script.cards[fouls[-1]].poses[-1]
            self._reach(move.seat, (at.x_mm, at.y_mm), 0.5)
            self._take_up(move.seat, fouls)

    def _draw(self, move: KendoMove) -> None:
        at = middle(self._places.piles[move.pile])
        self._reach(move.seat, at, 0.5)
        card = self._new("back", _lying(at, 0.0, z_mm=10.0, flip=DOWN))
        self._take_up(move.seat, [card])

    # --- cards -------------------------------------------------------------------------------------------

    def _new(self, name: str, pose: Pose) -> int:
        """Put a new card on the table now; return its number."""
        card = len(self._filmed.faces)
        self._filmed.faces.append(name)
        self._script.cards[card] = Track()
        self._script.cards[card].add(self._now_s, pose)
        return card

    def _from_hand(self, seat: int, name: str, flip: float) -> int:
        at = self._held(home(self._table, seat), self._edge(seat).value)
        return self._new(name, Pose(at.x_mm, at.y_mm, at.angle, at.z_mm, flip))

    def _take_up(self, seat: int, cards: Sequence[int]) -> None:
        """Bring cards from the table to a seat's hand."""
        away = self._held(home(self._table, seat), self._edge(seat).value)
        held = []
        for card in cards:
            flip = self._script.cards[card].poses[-1].flip
            held.append((card, Pose(away.x_mm, away.y_mm, away.angle, away.z_mm, flip)))
        self._carry(seat, held, 0.6, 0.8)
        for card in cards:
            self._script.cards[card].gone_s = self._now_s

    def _court_pose(self, seat: int, place: int, number: int, flip: float = UP) -> Pose:
        """Return where the `number`-th card of a seat's `place`-th play lies, from its left to its right."""
        court, edge = self._places.court[seat], self._edge(seat)
        length = court[2] - court[0]
        # Distance between plays on a seat's side of the court, and between the cards of one play.
        pair_mm = 24.0
        card_mm = 63.0
        room = length - card_mm - 2 * pair_mm
        pitch_mm = 74.0
        along = (place * pitch_mm) % room + number * pair_mm - (length - card_mm) / 2 + 6
        slip = self._rng.normal(0, 1, 2).clip(-2, 2) * self._look.slip_mm
        at = middle(court) + edge.right * along - edge.ahead * 5 * number + slip
        turn = float(np.clip(self._rng.normal(), -2, 2)) * np.deg2rad(self._look.slot_turn_deg)
        return Pose(float(at[0]), float(at[1]), float(edge.value + turn), 0.0, flip)

    def _mark_pose(self, seat: int, place: int) -> Pose:
        edge = self._edge(seat)
        at = middle(self._places.marks[seat]) + edge.right * (place - 1) * 80
        return _lying(at, edge.value + float(self._rng.normal(0, 0.03)))


def _lying(at: Any, angle: float, z_mm: float = 0.0, flip: float = UP) -> Pose:
    return Pose(float(at[0]), float(at[1]), angle, z_mm, flip)


@dataclass(frozen=True)
class KendoFilm:
    """A film of a bout, ready to be drawn or written."""

    film: Film
    filmed: KendoFilmed
    deck: Deck


def film_kendo(
    deck: Deck,
    moves: Sequence[KendoMove],
    *,
    seed: int,
    look: str = "wood",
    size_px: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    pace: float = 1.0,
) -> KendoFilm:
    """Stage a bout.

    `deck`: the faces of a box of Kendo cards. `seed`: for places, times, camera, light and noise. `look`: a
    name of `looks.LOOKS`. `pace`: factor on all durations; 1 for unhurried people.
    """
    room = chosen("look", look, LOOKS)
    filmed = film_bout(moves, room, seed=seed, pace=pace)
    back_colour = (96, 60, 44)
    back = plain_back(deck.picture_size_px, back_colour)
    faces = {card: back if name == "back" else deck.pictures[name] for card, name in enumerate(filmed.faces)}
    cards = CardSet({**faces, BACK: back}, back, deck.width_mm, deck.height_mm)
    film = Film(filmed.script, cards, KENDO_TABLE, room, seed=seed, size_px=size_px, fps=fps)
    return KendoFilm(film, filmed, deck)


def write_kendo_recording(kendo: KendoFilm, folder: Path | str, codec: Codec = "h264") -> Path:
    """Render a bout into `folder`, see `write_table_recording`."""
    head = head_of("kendo", kendo.film.fps, 'rules = "seed-003"\n', KENDO_TABLE.to_toml())
    said, truth = kendo.filmed.declarations, {"moves": kendo.filmed.moves}
    return write_table_recording(kendo.film, kendo.deck, folder, codec, head=head, said=said, truth=truth)
