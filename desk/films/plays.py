"""What was read in a film, from its picture: a play follows a reading, and its card never comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from calibration.failure import FailedEstimation
from calibration.sentence import Sentence
from desk.errors import DeskError
from desk.films.film import Ask, Film, OpenQuestionError
from desk.films.reading import FilmReading, Look, aligned
from referee.facts import ASSUMED, UNPLACED
from vision.match.plays import Play, PlayFinder
from vision.sources.source import SourceError
from vision.torifuda.prior_knowledge import PriorKnowledge

_TIDIED_NS = 8_000_000_000
"""A card that was pressed lies beside its place until its taker picks it up, mostly before that."""
_ANSWERS_NS = 15_000_000_000
"""After a first sound nobody waits longer for a play: an upper verse lasts 5 to 8 s."""
_TAKEN, _PERHAPS_TAKEN, _TOUCHED, _DEAD = 4.0, 3.0, 1.0, 0.2
"""How well a play fits a poem whose card left in it; left just after; was touched; is not on the field."""


def plays_of(
    film: Film, known: PriorKnowledge, watched: Callable[[int], None], *, may_be_slow: bool = True
) -> list[Play]:
    """Return the plays that the picture shows, in the order of time.

    Parameters
    ----------
    film : the film.
    known : what is known beforehand of the deck.
    watched : is told the instant of every picture, in nanoseconds.
    may_be_slow : whether it may be slow motion of which nothing tells: no voice is heard at its own pace.

    Raises
    ------
    OpenQuestionError
        Where they are so slow that the film is most likely slow motion, and nobody has said how fast it was
        filmed.
    DeskError
        Where the film cannot be read, or no field is seen in it.
    """
    finder = PlayFinder(known)
    try:
        source = film.pictures()
        for frame in source:
            watched(frame.t_ns)
            finder.feed(frame)
            source.glances = finder.rests
    except SourceError as error:
        raise DeskError(str(error)) from error
    plays = finder.close(source.ends_ns)
    if not finder.is_read:
        raise DeskError(_unread(film, finder.problem))
    fast_fps = 65  # who films slow motion films more pictures a second, and most phones write 30 or 60
    told = film.filmed_fps is not None or film.slow_motion > 1
    if may_be_slow and finder.is_slow and not told and film.usual_fps < fast_fps:
        raise OpenQuestionError(
            Sentence(
                "{film} plays {fps} pictures a second, and its hands are slower than people play: say how "
                "many a second were filmed, the same number if it is no slow motion",
                film=film.path,
                fps=round(film.usual_fps),
            ),
            Ask.RATE,
        )
    return plays


def _unread(film: Film, problem: FailedEstimation | None) -> Sentence:
    if problem is None:
        return Sentence(
            "{film} cannot be judged: the whole field must be in view, from above, with the near player at "
            "the bottom edge",
            film=film.path,
        )
    return Sentence(
        "{film} cannot be judged ({why}): the whole field must be in view, from above, with the near player "
        "at the bottom edge",
        film=film.path,
        why=problem.told,
    )


def assumed_readings(plays: Sequence[Play]) -> list[FilmReading]:
    """Return a reading for each play whose card left the field: its poem is only assumed."""
    return [
        replace(_before(plays[at]), poem=poem, doubt=ASSUMED) for at, poem in sorted(_targets(plays).items())
    ]


def placed_readings(
    poems: Sequence[int], plays: Sequence[Play], ends_ns: int, begins_ns: int = 0
) -> list[FilmReading]:
    """Return when these poems were read, in this order, of a film that begins and ends at these instants.

    A poem whose card left in a play was read before that play. Where another play may be meant as well, or a
    dead poem may belong to any of several, nobody knows when it was read.
    """
    fits = [_fits(poem, plays) for poem in poems]
    places = aligned(fits)
    readings: list[FilmReading] = []
    for number, (poem, at) in enumerate(zip(poems, places, strict=True)):
        before = max((one for one in places[:number] if one is not None), default=-1)
        after = min((one for one in places[number + 1 :] if one is not None), default=len(plays))
        if at is not None:
            others = [one for one in fits[number] if before < one < after and fits[number][one] > _TOUCHED]
            doubt = "" if len(others) == 1 else UNPLACED
            readings.append(replace(_before(plays[at]), poem=poem, doubt=doubt))
            continue
        # where no card was touched in between, nothing came of a poem whose card does not lie on the field
        lies = any(poem in play.lay for play in plays)
        doubt = "" if after - before == 1 and not lies else UNPLACED
        from_ns = plays[before].t_ns if before >= 0 else begins_ns
        to_ns = plays[after].stirred_ns if after < len(plays) else ends_ns
        t_ns = from_ns + round((to_ns - from_ns) * _share(places, number))
        readings.append(FilmReading(t_ns, max(1, (to_ns - from_ns) // 2), poem, doubt))
    return readings


def _share(places: Sequence[int | None], number: int) -> float:
    """Return how far between two plays a poem is put that has none, beside others that have none."""
    first = last = number
    while first > 0 and places[first - 1] is None:
        first -= 1
    while last + 1 < len(places) and places[last + 1] is None:
        last += 1
    middle = 0.5
    return (number - first + middle) / (last - first + 1)


def named_by_plays(readings: Sequence[FilmReading], plays: Sequence[Play]) -> list[FilmReading]:
    """Name the readings that nobody understood by the card that left after them; leave out the others."""
    targets, named = _targets(plays), []
    ends_ns = [one.t_ns for one in readings[1:]] + [1 << 62]
    for reading, end_ns in zip(readings, ends_ns, strict=True):
        until_ns = min(end_ns, reading.t_ns + _ANSWERS_NS)
        cards = [poem for at, poem in targets.items() if reading.t_ns < plays[at].t_ns < until_ns]
        if reading.poem is not None:
            named.append(reading)
        elif cards:
            named.append(replace(reading, poem=cards[0], doubt=ASSUMED))
    return named


def _targets(plays: Sequence[Play]) -> dict[int, int]:
    """Return the card that was most likely read before each play in which one left."""
    targets: dict[int, int] = {}
    for card in dict.fromkeys(card for play in plays for card in play.taken):
        targets.setdefault(_take_of(card, plays)[0], card)
    return targets


def _take_of(card: int, plays: Sequence[Play]) -> list[int]:
    """Return the plays in which a card may have been taken that left, the likeliest first."""
    there = [at for at, play in enumerate(plays) if card in play.touched or card in play.moved]
    left = next(at for at in there if card in plays[at].taken)
    before = [
        at
        for at in there
        if at < left and plays[left].t_ns - plays[at].t_ns < _TIDIED_NS and not plays[at].taken
    ]
    return [*before[-1:], left]


def _fits(poem: int, plays: Sequence[Play]) -> dict[int, float]:
    """Return how well each play fits a poem."""
    there = {at: _TOUCHED for at, play in enumerate(plays) if poem in play.touched or poem in play.moved}
    if any(poem in play.taken for play in plays):
        return there | dict(zip(_take_of(poem, plays), (_TAKEN, _PERHAPS_TAKEN), strict=False))
    if len(there) == 1:
        return dict.fromkeys(there, _TAKEN)  # it was touched once, and lies there still as the film ends
    if there or any(poem in play.lay for play in plays):
        return there
    return {at: _DEAD / (1 + len(play.taken)) for at, play in enumerate(plays)}


def _before(play: Play) -> FilmReading:
    """Return a reading just before a play: nobody has reached a card sooner than so long after hearing it."""
    soonest_ns, moment_ns = 250_000_000, 50_000_000
    t_ns = max(0, min(play.stirred_ns, play.t_ns - soonest_ns) - moment_ns)
    look = Look(play.seen.before.layout, play.seen.facts)
    return FilmReading(t_ns, max(moment_ns, (play.t_ns - t_ns) // 2), None, seen=look)
