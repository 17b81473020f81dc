"""A film of trials as a table: what moved cards that nobody touched, and what the eye told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from desk.errors import DeskError
from desk.films.film import Film
from desk.films.trials import Called
from referee.complaint import sentence_of
from vision.match.trials import HallTrials, Trial
from vision.sources.video_file import VideoError
from vision.torifuda.prior_knowledge import PriorKnowledge

MEASUREMENT = "hall"  # name of the table in a camera's record
_ROWS = (
    ("fps", "pictures a second", 1.0, "{:.1f}"),
    ("lost_share", "pictures lost", 100.0, "{:.1f} %"),
    ("noise_mm", "noise of a resting card (95 of 100)", 1.0, "{:.2f} mm"),
    ("tremble_mm", "tremble of the camera while nobody moves", 1.0, "{:.2f} mm"),
    ("shaken_mm", "largest tremble in any trial", 1.0, "{:.2f} mm"),
    ("shaken_hz", "its rate", 1.0, "{:.1f} Hz"),
    ("drift_mm", "drift while nobody moves", 1.0, "{:.2f} mm"),
    ("creep_mm", "creep of a mat below knees", 1.0, "{:.2f} mm"),
    ("ripple_share", "ripple of the lamps", 100.0, "{:.1f} %"),
    ("lag_ms", "lag of the camera's noise reduction", 1.0, "{:.0f} ms"),
    ("floor_mm", "floor of motion", 1.0, "{:.2f} mm"),
)


def measure_trials(
    film: Film, calls: Sequence[Called], known: PriorKnowledge, watched: Callable[[int], None]
) -> dict[str, Any]:
    """Watch a film of trials and return its table, as `HallTrials.figures`.

    Raises DeskError if the film cannot be read, ends before the first trial, or none could be watched.

    Parameters
    ----------
    film : the film.
    calls : what was called in it, in order of time.
    known : what is known of camera and deck.
    watched : called with the instant of every picture, in nanoseconds.
    """
    trials, left = HallTrials(known), list(calls)
    try:
        for frame in film.pictures():
            watched(frame.t_ns)
            trials.feed(frame)
            if left and left[0].t_ns <= frame.t_ns:
                trials.begin(left.pop(0).trial)
    except VideoError as error:
        raise DeskError(sentence_of(error)) from error
    trials.end()
    if len(left) == len(calls):
        raise DeskError(
            "{film} ends at {ends:.1f} s, before the first trial at {first:.1f} s: the list's times are to "
            "be given on the film's clock",
            film=film.path,
            ends=film.ends_ns / 1e9,
            first=calls[0].t_ns / 1e9,
        )
    figures = trials.figures()
    if not figures["told"]:
        raise DeskError(
            "no trial in {film} could be watched: {why}; the whole field must be in view, from above, and "
            "at rest before each call",
            film=film.path,
            why=trials.problem,
        )
    return {**figures, "after_the_end": len(left)}


def table_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a table for people, in Markdown."""
    yield "| figure | value |"
    yield "|---|---|"
    for name, words, factor, form in _ROWS:
        value = figures.get(name)
        yield f"| {words} | {'not known' if value is None else form.format(factor * value)} |"
    for trial, by in figures["shock"].items():
        if not sum(by["cards"]):
            continue
        yield ""
        yield f"| {trial}: distance from the hand | cards | usual | most | left their places |"
        yield "|---|---|---|---|---|"
        from_mm = figures["from_mm"]
        spans = [f"{low:.0f} to {high:.0f} mm" for low, high in pairwise(from_mm)]
        classes = [*spans, f"over {from_mm[-1]:.0f} mm"]
        for where, *row in zip(classes, by["cards"], by["usual_mm"], by["most_mm"], by["left"], strict=True):
            cards, usual, most, left = row
            yield f"| {where} | {cards} | {_mm(usual)} | {_mm(most)} | {left} |"
    yield ""
    yield "| trial | number | told as a touch | left to a person | nothing told |"
    yield "|---|---|---|---|---|"
    for trial, told in figures["told"].items():
        counts = [told.get(what, 0) for what in ("touch", "unprovable", "nothing")]
        yield f"| {trial} | {sum(counts)} | {' | '.join(map(str, counts))} |"


def passes(figures: Mapping[str, Any]) -> bool:
    """Tell whether few enough trials without a touch were told as one (`docs/validation.md`)."""
    touches, trials = _told_wrongly(figures)
    most_share = 0.05
    return touches <= most_share * trials


def judgement_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the table says about the pass mark, and what it could not tell."""
    touches, trials = _told_wrongly(figures)
    if trials:
        verdict = "passes" if passes(figures) else "does not pass"
        yield f"{touches} of {trials} trials without a touch told as a touch: {verdict} (at most 1 in 20)"
    silent = figures["told"].get(Trial.SILENT.value)
    if silent:
        yield f"{silent.get('nothing', 0)} of {sum(silent.values())} silent touches were not told at all"
    for name, words in (("unread", "could not be watched"), ("after_the_end", "begin after the film's end")):
        if figures[name]:
            yield f"{figures[name]} trials {words}"


def _told_wrongly(figures: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many trials without a touch were told as a touch, and how many there were."""
    without = [told for trial, told in figures["told"].items() if not Trial(trial).touches]
    return sum(told.get("touch", 0) for told in without), sum(sum(told.values()) for told in without)


def _mm(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} mm"
