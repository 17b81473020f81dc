"""The verdicts on a film: its readings and what was seen of each, in a JSON file that can be judged again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from calibration.files.storage import keep_text
from calibration.files.text import TextFileError, read_text
from desk.card_games import CARD_GAMES
from desk.errors import DeskError
from desk.films.reading import FilmReading, Look
from desk.karuta.engine.events import CODEC
from desk.karuta.engine.minutes import Minute, Standing
from desk.karuta.engine.snapshot import card_on_field, poem_ruled
from desk.karuta.eye.recorded_match import rules_named
from desk.panel.films.port import PoemOfFilm, TableOfFilm
from desk.panel.films.view import told_text
from desk.panel.table.names import seat_name
from desk.panel.words import SOURCE_LANGUAGE, Words, words
from desk.tables.evidence.events import bundle_name
from referee.complaint import sentence_of
from referee.facts import FieldSettled, PoemStarted, Touch, Unprovable
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Ruling, Status
from referee.sentence import Sentence, from_plain, to_plain

FILE = "verdicts.json"
_NOTHING = Sentence()
_FORMAT = 2


@dataclass(frozen=True, slots=True)
class FilmPoem:
    """A poem of a film."""

    reading: FilmReading
    look: Look
    evidence: str | None = None  # file name of its replay, None if nobody touched a card

    @property
    def start(self) -> PoemStarted:
        return self.reading.line().start

    def ruling(self, rules: RuleSet) -> Ruling:
        return judge_poem(self.start.poem, self.look.layout, (*self.look.facts, self.start), rules)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts on a film."""

    game: str = ""  # its game, empty if unknown
    # ask, problem: what a person is asked, or why it could not be judged; empty if it was judged
    ask: str = ""
    problem: Sentence = _NOTHING
    silent_why: Sentence = _NOTHING  # why nothing is known from the sound; empty if something is
    # length_ns, begins_ns: the film's length, and its beginning on the clock of its pictures
    length_ns: int = 0
    begins_ns: int = 0
    poems: tuple[FilmPoem, ...] = ()  # for karuta the poems in order of time
    # for a card table the answer of its judge, as JSON
    judged: Mapping[str, Any] = field(default_factory=dict)
    stories: tuple[Any, ...] = ()  # for Koi-Koi the rounds card by card
    hint: Sentence = _NOTHING  # of a card table, what to do better

    def with_poem(self, number: int, poem: FilmPoem) -> Verdicts:
        """Return the verdicts with another poem at index `number`."""
        return replace(self, poems=(*self.poems[:number], poem, *self.poems[number + 1 :]))

    def shown(self, rules: str | None) -> list[PoemOfFilm]:
        """Return the poems in the panel's format, ruled by these house rules, timed from the film's start."""
        ruleset, read = rules_named(rules), list[int]()
        found: list[PoemOfFilm] = []
        for order, poem in enumerate(self.poems, start=1):
            reading, start, ruling = poem.reading, poem.start, poem.ruling(ruleset)
            contacts = [fact for fact in poem.look.facts if isinstance(fact, Touch | Unprovable)]
            minute = Minute(
                order,
                (order,),
                ruling,
                Standing.RULED if ruling.status is Status.DECIDED else Standing.PROPOSED,
                start,
                contacts=tuple(sorted(contacts, key=lambda contact: contact.t_ns)),
                evidence=poem.evidence,
            )
            found.append(
                {
                    "number": order,
                    "t_ms": (reading.t_ns - self.begins_ns) / 1e6,
                    "t_unc_ms": reading.t_unc_ns / 1e6,
                    "doubt": reading.doubt,
                    "perhaps": list(reading.perhaps),
                    "field": [card_on_field(placed) for placed in poem.look.layout],
                    "ruled": poem_ruled(minute, poem.look.layout, frozenset(read)),
                }
            )
            read.append(start.poem)
        return found

    def keep(self, folder: Path) -> None:
        """Write the verdicts into a film's folder, whole or not at all."""
        same = ("game", "ask", "problem", "silent_why", "hint", "length_ns", "begins_ns", "judged", "stories")
        plain = {"format": _FORMAT, **{name: getattr(self, name) for name in same}}
        plain["poems"] = [_poem_json(poem) for poem in self.poems]
        keep_text(folder / FILE, json.dumps(to_plain(plain), ensure_ascii=False))


def read_verdicts(folder: Path) -> Verdicts | None:
    """Return the verdicts in a film's folder, None if there are none yet.

    Raises DeskError if the file is damaged.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        plain = from_plain(json.loads(read_text(path)))
        if plain["format"] == _FORMAT:
            return _verdicts_of(plain)
        problem = Sentence(
            "its format is {format}, this shinpan reads {known}", format=plain["format"], known=_FORMAT
        )
    except (TextFileError, LookupError, TypeError, ValueError, DeskError) as error:
        problem = sentence_of(error)
    raise DeskError("what came of the film cannot be read ({why}): judge the film anew", why=problem)


def _verdicts_of(plain: Mapping[str, Any]) -> Verdicts:
    poems = tuple(_poem_of(poem) for poem in plain["poems"])
    known: dict[str, Any] = {key: plain[key] for key in ("game", "ask", "length_ns", "judged")}
    begins_ns = plain.get("begins_ns", 0)
    known |= {key: Sentence(plain.get(key, "")) for key in ("problem", "silent_why", "hint")}
    return Verdicts(**known, begins_ns=begins_ns, poems=poems, stories=tuple(plain["stories"]))


def _poem_json(poem: FilmPoem) -> dict[str, Any]:
    reading = poem.reading
    return {
        "t_ns": reading.t_ns,
        "t_unc_ns": reading.t_unc_ns,
        "poem": reading.poem,
        "doubt": reading.doubt,
        "perhaps": list(reading.perhaps),
        "first_look": None if reading.seen is None else _look_json(reading.seen),
        "look": _look_json(poem.look),
        "evidence": poem.evidence,
        "confidence": reading.confidence,
    }


def _poem_of(plain: Mapping[str, Any]) -> FilmPoem:
    first = plain["first_look"]
    reading = FilmReading(
        plain["t_ns"],
        plain["t_unc_ns"],
        plain["poem"],
        plain["doubt"],
        tuple(plain["perhaps"]),
        None if first is None else _look_of(first),
        plain.get("confidence", 1.0),
    )
    evidence = plain["evidence"]
    return FilmPoem(reading, _look_of(plain["look"]), None if evidence is None else bundle_name(evidence))


def _look_json(look: Look) -> list[Sequence[Any]]:
    return [CODEC.encode(fact) for fact in (FieldSettled(look.layout, 0), *look.facts)]


def _look_of(plain: Sequence[Sequence[Any]]) -> Look:
    field, *facts = (CODEC.decode(kind, version, payload) for kind, version, payload in plain)
    return Look(field.layout, tuple(facts))


def table_of(verdicts: Verdicts, said: Words) -> TableOfFilm | None:
    """Return the game on a card table in one language, None if no table was judged."""
    judged = verdicts.judged
    if not judged or verdicts.game not in CARD_GAMES:
        return None
    page = CARD_GAMES[verdicts.game].film_page(judged, verdicts.stories, said)
    for number, step in zip(count(1), _steps(page["parts"]), strict=False):
        step |= {"number": number, "t": f"{step['t_ms'] / 1e3:.1f}"}
    dealer = judged.get("dealer_assumed") if judged.get("rounds") else None
    assumed = ""
    if dealer is not None:
        player = seat_name(dealer, None, said)
        assumed = said(
            "Nobody said who dealt first: {player} played first and is taken for the dealer.", player=player
        )
    is_certain = judged.get("certain", True)
    return {
        **page,
        "doubt": "" if is_certain else said("Not certain: a part was not seen or not understood."),
        "dealer": assumed,
        "hint": told_text(verdicts.hint.to_json(), said),
    }


def instants_ms(verdicts: Verdicts) -> list[float] | None:
    """Return the instant of each step of a card table in the order of their numbers, None without one."""
    table = table_of(verdicts, words(SOURCE_LANGUAGE))
    return None if table is None else [step["t_ms"] for step in _steps(table["parts"])]


def doubted(verdicts: Verdicts) -> int:
    uncertain = sum(not played.get("certain", True) for played in verdicts.judged.get("rounds", ()))
    return uncertain or int(not verdicts.judged.get("certain", True))


def flagged(verdicts: Verdicts) -> int:
    table = table_of(verdicts, words(SOURCE_LANGUAGE))
    parts = [] if table is None else table["parts"]
    return sum(len(step["flags"]) for step in _steps(parts)) + sum(len(part["late"]) for part in parts)


def _steps(parts: Any) -> Iterator[dict[str, Any]]:
    return (step for part in parts for step in part["steps"])
