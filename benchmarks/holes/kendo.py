"""Simulated bouts of the Kendo cards with holes: which events are read, what is flagged, and the score."""

from __future__ import annotations

import json
import random
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.holes.hole import Hole, hole_within
from benchmarks.holes.outcome import Outcome
from desk.kendo.card_game import KENDO
from desk.kendo.desk import Bout, KendoDesk, read_bout
from desk.kendo.simulation import PlannedBout, plan_bout
from desk.tables.simulated.simulated_film import opened_film
from referee.kendo.events import Event, Play
from referee.kendo.house_rules import preset
from vision.frames.frame import Frame
from vision.plane.printed_table import KENDO_TABLE
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.kendo.film import KendoFilm, film_kendo

Picture = NDArray[Any]
BOUTS = 3
"""There are no recordings of bouts: so many are simulated."""
_FIRST_SEED = 900
_FAULTS = 1
_PACE = 0.7
_T_UNC_NS = 500_000

_MOVES = 12
"""Of a bout, which keeps its film to a minute."""


def kendo_outcomes(holes: int, seed: int) -> Iterator[Outcome]:
    """Judge simulated bouts, uncut and with `holes` holes, one at a time.

    Every event is a ruling; one that is written down is decided, and wrong where nothing such happened. A
    score that is told for certain and is another one is wrong, too.
    """
    for number in range(BOUTS):
        planned = plan_bout(preset(), _FIRST_SEED + number, faults=_FAULTS, longest=_MOVES)
        kendo = film_kendo(
            drawn_kendo_deck(), planned.moves, seed=_FIRST_SEED + number, look="wood", fps=15.0, pace=_PACE
        )
        dice = random.Random(f"{seed} kendo {number}")
        last_ms = kendo.filmed.script.length_s * 1000
        pictures = [(t_ns, cv2.imencode(".jpg", picture)[1]) for t_ns, picture in kendo.film.pictures()]
        for hole in (None, *(hole_within(0.0, last_ms, dice) for _ in range(holes))):
            left = [each for each in pictures if hole is None or not hole.swallows(each[0])]
            yield _outcome(f"bout {_FIRST_SEED + number}", hole, _watched(kendo, left), planned)


def _watched(kendo: KendoFilm, pictures: Sequence[tuple[int, Picture]]) -> Bout:
    """Return the bout as the eye sees it in these pictures, as JPEG with their instants."""
    opened = opened_film("kendo", kendo, KENDO_TABLE)
    eye, words = KENDO.eye(opened), deque(opened.words)
    bout = read_bout([(0, KENDO.opening("bench", opened, preset(), (None, None)))])
    for index, (t_ns, jpeg) in enumerate(pictures):
        for event in eye.feed(_frame(index, t_ns, jpeg)):
            bout.follow(event)
        while words and words[0].t_ms * 1e6 <= t_ns:
            bout.follow(KendoDesk.word(words.popleft()))
    return bout


def _frame(index: int, t_ns: int, jpeg: Picture) -> Frame:
    picture = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return Frame(gray, t_ns, _T_UNC_NS, index, render_colour=lambda: picture)


def _outcome(name: str, hole: Hole | None, bout: Bout, planned: PlannedBout) -> Outcome:
    scribe, truth = bout.scribe, planned.minutes.bout
    wanted = list(map(_told, planned.events))
    told = [_told(noted.event) for noted in scribe.notes if not noted.taken_back]
    blocks = SequenceMatcher(None, wanted, told, autojunk=False).get_matching_blocks()
    right = sum(block.size for block in blocks)
    flags = Counter((flag.id, flag.row) for flag in scribe.flags)
    true = Counter(("illegal_play", fault.row) for fault in planned.faults)
    false = sum((flags - true).values()) - sum(n for (key, _), n in flags.items() if key == "unsure")
    differs = not scribe.is_uncertain and scribe.minutes.bout.ippon != truth.ippon
    line = f"hole {hole}: {right} of {len(told)} events right, score wrong: {differs}, flags {dict(flags)}"
    return Outcome(name, hole, len(wanted), len(told), len(told) - right + differs, false, line)


def _told(event: Event) -> str:
    cards = sorted(map(str, event.cards)) if isinstance(event, Play) else []
    return json.dumps([type(event).__name__, event.player, cards])
