"""Judging a film: find out its game and what was read, then let the game's own judge watch it.

Where a person says which poem was read, or when, that poem alone is judged again.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from desk.card_games import card_game
from desk.films.film import (
    Ask,
    Film,
    OpenQuestionError,
    Pacer,
    Progress,
    Seats,
    Stage,
    bring,
    check_new,
    lent_folder,
    new_folder,
    open_film,
    write_down,
)
from desk.films.game import deck_of_table, game_of, head_of, is_path, seats_of, sections_of
from desk.films.reading import (
    FilmReading,
    Look,
    assumed_readings,
    in_order,
    named_by_listener,
    named_by_order,
    named_by_person,
    named_by_plays,
    placed_readings,
    plays_of,
)
from desk.films.sound import APART_NS, FilmSound, lateness, listen_to
from desk.karuta.eye.prior_knowledge import known_of
from desk.karuta.eye.recorded_match import WatchedRecording, rules_named, watch_recording
from referee.cards.poems import POEMS
from referee.facts import ASSUMED, DISAGREEING, UNPLACED, UNSURE, Gap
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Ruling
from referee.sentence import Sentence
from vision.poem.events import PoemSeen
from vision.recordings.recording import JOKA, RecordedReading
from vision.torifuda.prior_knowledge import PriorKnowledge


@dataclass(frozen=True, slots=True)
class FilmHints:
    """What a person says about a film; all of it is optional if the film shows it."""

    game: str | None = None
    filmed_fps: float | None = None  # pictures per second at which it was filmed
    deck: str | None = None  # the deck in play, by name or file
    poems: tuple[int, ...] = ()
    order: tuple[int, ...] = ()  # a reading order of which the film shows a part
    unread: frozenset[int] = frozenset(POEMS)  # poems that can be read in it
    seats: Seats = field(default_factory=Seats)
    filmed_by: str | None = None  # name of the camera whose hall it shows; see `known_of`


@dataclass(frozen=True, slots=True)
class JudgedFilm:
    """A judged film."""

    game: str
    judged: dict[str, Any]  # the answer of the game's judge, as JSON
    readings: tuple[FilmReading, ...] = ()  # for karuta the readings in order of time
    # why nothing is known from the sound; empty if something is
    silent_why: Sentence = field(default_factory=Sentence)
    # for karuta what was seen of each poem; the keys are the instants of the first sounds in nanoseconds
    seen: Mapping[int, PoemSeen] = field(default_factory=dict)
    stories: Sequence[Any] = ()  # of a card table, what its page tells step by step


def judge_film(
    path: Path,
    told: FilmHints,
    rules: str | None = None,
    keep: Path | None = None,
    tell: Callable[[Progress], None] = lambda _: None,
) -> JudgedFilm:
    """Judge a film by house rules: a preset's name, or for card tables a TOML file.

    Raises OpenQuestionError if a person has to answer a question about it. Raises DeskError if it cannot be
    read or judged. `keep`: a new folder for a recording that reproduces the rulings, None for none.
    """
    film = open_film(path, told.filmed_fps)
    if keep is not None:
        check_new(keep, film)
    game = told.game or game_of(film, told.deck)
    pacer = Pacer(tell, time.monotonic)
    if game == "karuta":
        return _match(film, told, rules_named(rules), keep, pacer)
    table = card_game(game)
    deck, seats = deck_of_table(film, table, told.deck), seats_of(film, table, told.seats)
    # files given by path are part of the recording
    others = [Path(named) for named in (deck, rules) if named and is_path(named)]
    write = partial(write_down, head=head_of(table, seats, rules), sections=sections_of(table, deck, seats))
    with lent_folder(film, *others) as folder:
        write(folder, film, game)
        watched = pacer.begin(Stage.JUDGING, film.length_ns, film.begins_ns)
        seen = table.watch(folder, None, watched)
    if keep is not None:
        with new_folder(keep) as made:
            bring(made, film.path, *others)
            write(made, film, game)
    return JudgedFilm(game, table.minutes(seen), stories=table.stories(seen.game))


def _match(film: Film, told: FilmHints, rules: RuleSet, keep: Path | None, pacer: Pacer) -> JudgedFilm:
    known = known_of(told.deck, filmed_by=told.filmed_by)
    heard_until = pacer.begin(Stage.LISTENING, film.length_ns)
    sound = listen_to(film, told.unread | {*told.poems, *told.order}, heard_until)
    named, silent_why = _named(sound, told), sound.silent_why
    if named is None or any(one.poem is None for one in named):
        looked_until = pacer.begin(Stage.LOOKING, film.length_ns, film.begins_ns)
        may_be_slow = not any(one.is_sure for one in sound.readings)
        plays = plays_of(film, known, looked_until, may_be_slow=may_be_slow)
        if named is None and sound.readings:
            silent_why = Sentence(
                "only {n} of {of} poems were heard", n=len(sound.readings), of=len(told.poems)
            )
        if named is not None:
            named = named_by_plays(named, plays)
        elif told.poems:
            named = placed_readings(told.poems, plays, film.ends_ns, film.begins_ns)
        else:
            named = assumed_readings(plays)
    readings = [looked_at(one, rules) for one in in_order(named)]
    if not readings:
        raise OpenQuestionError(
            Sentence(
                "nothing to judge was found in {film}: {why}, and no card left the field; name the poems "
                "that were read",
                film=film.path,
                why=silent_why or Sentence("no poem was understood"),
            ),
            Ask.POEMS,
        )
    with lent_folder(film) as folder:

        def watched_anew() -> WatchedRecording:
            write_down(folder, film, "karuta", readings=[one.line() for one in readings])
            return watch_recording(
                folder, rules, known, pacer.begin(Stage.JUDGING, film.length_ns, film.begins_ns)
            )

        watched = watched_anew()
        better = _reconsidered(readings, watched.judged["poems"], sound, rules)
        if better != readings:
            readings = better
            watched = watched_anew()
    if keep is not None:
        with new_folder(keep) as made:
            bring(made, film.path)
            write_down(made, film, "karuta", readings=[one.line() for one in readings])
    return JudgedFilm("karuta", watched.judged, tuple(readings), silent_why, watched.seen)


def _named(sound: FilmSound, told: FilmHints) -> list[FilmReading] | None:
    """Return the named readings of the sound; None if the pictures are needed."""
    heard = sound.readings
    if not heard:
        return None
    if told.poems:
        return named_by_person(heard, told.poems)
    return (named_by_order(heard, told.order) if told.order else None) or named_by_listener(heard)


def _reconsidered(
    readings: list[FilmReading], poems: Sequence[dict[str, Any]], sound: FilmSound, rules: RuleSet
) -> list[FilmReading]:
    """Return the readings as they are known once their poems were judged.

    If two looks disagree, a reading is in doubt. If a card was touched about as its poem began, the readings
    that were heard are laid onto the clock of the pictures, by the hits that show how late these are. Without
    such hits nobody is said to have touched too early.
    """
    if sound.track is not None and any(
        "start_unclear" in poem["ruling"]["doubts"] or _is_early(poem["ruling"]) for poem in poems
    ):
        if (late := lateness(sound.track, poems)) is not None:
            return [one if one.seen else one.laid(late) for one in readings]
        # a sound may be further apart than usual (a wireless microphone): that accuses nobody
        return [
            replace(one, doubt=one.doubt or UNPLACED) if _is_early(poem["ruling"]) and not one.seen else one
            for one, poem in zip(readings, poems, strict=True)
        ]
    return [looked_twice(one, poem["ruling"], rules) for one, poem in zip(readings, poems, strict=True)]


def _is_early(ruling: Mapping[str, Any]) -> bool:
    return any(reason.startswith("early_touch") for reason in ruling["reasons"])


def looked_at(reading: FilmReading, rules: RuleSet) -> FilmReading:
    """Return a reading, with a doubt if the first look at its play left something open."""
    if reading.doubt or reading.seen is None or not _first_ruling(reading, reading.seen, rules).doubts:
        return reading
    return replace(reading, doubt=DISAGREEING)


def looked_twice(reading: FilmReading, ruling: Mapping[str, Any], rules: RuleSet) -> FilmReading:
    """Return a reading, with a doubt if the rulings of the two looks at its play disagree."""
    if reading.doubt or reading.seen is None:
        return reading
    first = _first_ruling(reading, reading.seen, rules).to_json()
    agree = all(first[key] == ruling[key] for key in ("taken_by", "faults", "sends"))
    return reading if agree else replace(reading, doubt=DISAGREEING)


def _first_ruling(reading: FilmReading, first: Look, rules: RuleSet) -> Ruling:
    line = reading.line()
    # gaps are left out: the second look reports them
    facts = [fact for fact in first.facts if not isinstance(fact, Gap)]
    return judge_poem(line.poem, first.layout, (*facts, line.start), rules)


_HAND_NS = 40_000_000
"""95 % half width of a first sound that a person marks in the waveform: a few of its columns."""


def corrected(reading: FilmReading, poem: int | None = None, t_ns: int | None = None) -> FilmReading:
    """Return a reading with a person's correction of its poem, its first sound, or both.

    That settles the doubts about what was corrected; others stay.
    """
    settled: set[str] = set()
    if poem is not None:
        settled |= {UNSURE, ASSUMED}
        reading = replace(reading, poem=poem, perhaps=(), confidence=1.0)
    if t_ns is not None:
        settled.add(UNPLACED)
        unc_ns = round(float(np.hypot(APART_NS, _HAND_NS)))
        reading = replace(reading, t_ns=t_ns, t_unc_ns=unc_ns)
    return replace(reading, doubt="" if reading.doubt in settled else reading.doubt)


def judge_again(
    film: Film,
    readings: Sequence[FilmReading],
    number: int,
    rules: RuleSet,
    known: PriorKnowledge,
    *,
    watched: Callable[[int], None] | None = None,
) -> tuple[FilmReading, PoemSeen | None]:
    """Judge poem `number` of a film anew, from the pictures between the corrected readings around it.

    Returns its revised reading, and what was seen of it. Raises DeskError if the film cannot be read, or no
    card is found in that part of it. `watched`: called with the instant of every picture, in nanoseconds.
    """
    reading = looked_at(readings[number], rules)
    # the field rests before a reading; the end of the previous poem shows its layout
    lead_ns, tail_ns = 2_000_000_000, 200_000_000
    lines = [one.line() for one in readings[max(0, number - 1) : number]]
    starts_ns = 0 if number < 2 else max(0, readings[number - 1].t_ns - lead_ns)
    ends_ns, lines_after = None, []
    if number + 1 < len(readings):  # the next first sound ends this poem; the next play does not matter
        following = readings[number + 1].line()
        ends_ns = following.t_ns + tail_ns
        lines_after = [RecordedReading(following.t_ms, JOKA, following.t_unc_ms)]
    with lent_folder(film) as folder:

        def judged(one: FilmReading) -> WatchedRecording:
            write_down(folder, film, "karuta", readings=[*lines, one.line(), *lines_after])
            return watch_recording(folder, rules, known, watched, (starts_ns, ends_ns))

        found = judged(reading)
        poem = next(
            each for each in found.judged["poems"] if round(each["t_ms"] * 1e6) == reading.line().t_ns
        )
        doubted = looked_twice(reading, poem["ruling"], rules)
        if doubted != reading:
            reading, found = doubted, judged(doubted)
    return reading, found.seen.get(reading.line().t_ns)
