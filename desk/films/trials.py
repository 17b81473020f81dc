"""A film of trials: the list of what was called aloud when, and the table of what the eye told of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from calibration.files import typed_numbers as typed
from calibration.files.table import Row, TableError, first_line, rows_of, texts_of
from desk.errors import DeskError
from desk.films.film import Film
from referee.sentence import Sentence
from vision.match.trials import HallTrials, Trial
from vision.sources.video_file import VideoError
from vision.torifuda.prior_knowledge import PriorKnowledge

_COLUMNS = {"at": ("at", "t", "time", "時刻"), "trial": ("trial", "試行")}
_NAMES = {
    "静止": Trial.QUIET,
    "膝": Trial.KNEEL,
    "叩き": Trial.SLAP,
    "払い": Trial.SWEEP,
    "袖": Trial.SLEEVE,
    "通行": Trial.PASSER,
    "接触": Trial.SILENT,
    "押さえ": Trial.PRESS,
    "浮かせ": Trial.HOVER,
    **{trial.value: trial for trial in Trial},
}
"""How a list may name a trial."""

MEASUREMENT = "hall"  # name of the table in a camera's record
Say = Callable[[Sentence], str]  # puts a sentence into the reader's language
_ROWS = (
    ("fps", Sentence("pictures a second"), 1.0, "{:.1f}"),
    ("lost_share", Sentence("pictures lost"), 100.0, "{:.1f} %"),
    ("noise_mm", Sentence("noise of a resting card (95 of 100)"), 1.0, "{:.2f} mm"),
    ("tremble_mm", Sentence("tremble of the camera while nobody moves"), 1.0, "{:.2f} mm"),
    ("shaken_mm", Sentence("largest tremble in any trial"), 1.0, "{:.2f} mm"),
    ("shaken_hz", Sentence("its rate"), 1.0, "{:.1f} Hz"),
    ("drift_mm", Sentence("drift while nobody moves"), 1.0, "{:.2f} mm"),
    ("creep_mm", Sentence("creep of a mat below knees"), 1.0, "{:.2f} mm"),
    ("ripple_share", Sentence("ripple of the lamps"), 100.0, "{:.1f} %"),
    ("lag_ms", Sentence("lag of the camera's noise reduction"), 1.0, "{:.0f} ms"),
    ("floor_mm", Sentence("floor of motion"), 1.0, "{:.2f} mm"),
)
_TRIALS = {
    Trial.QUIET: Sentence("quiet"),
    Trial.KNEEL: Sentence("kneel"),
    Trial.SLAP: Sentence("slap"),
    Trial.SWEEP: Sentence("sweep"),
    Trial.SLEEVE: Sentence("sleeve"),
    Trial.PASSER: Sentence("passer"),
    Trial.SILENT: Sentence("silent"),
    Trial.PRESS: Sentence("press"),
    Trial.HOVER: Sentence("hover"),
}


@dataclass(frozen=True, slots=True)
class Called:
    """A trial that was called aloud, and when: nanoseconds on the film's clock."""

    t_ns: int
    trial: Trial


def read_trials(path: Path) -> list[Called]:
    """Read a list of trials; DeskError if it is no such table, or names the line that cannot be read."""
    head, *below = table_of(path, _is_head, "at,trial (時刻,試行)")
    at, name = (
        next(at for at, cell in enumerate(head.cells) if cell in names) for names in _COLUMNS.values()
    )
    calls = [_called(path, row.number, row.cells[at], row.cells[name]) for row in below]
    if not calls:
        raise DeskError("{file} names no trial: write a line for each that was called", file=path)
    for earlier, later in pairwise(calls):
        if later.t_ns <= earlier.t_ns:
            raise DeskError(
                "{file}: trials must follow each other in time, but {later} at {later_s:g} s comes after "
                "{earlier} at {earlier_s:g} s",
                file=path,
                later=later.trial.value,
                later_s=later.t_ns / 1e9,
                earlier=earlier.trial.value,
                earlier_s=earlier.t_ns / 1e9,
            )
    return calls


def table_of(path: Path, is_head: Callable[[Sequence[str]], bool], columns: str) -> list[Row]:
    """Return the rows of a table, its head first, as `rows_of`; DeskError if it has no such `columns`."""
    with DeskError.wrapping("", TableError):
        texts = texts_of(path.read_bytes(), str(path))
        found = [rows_of(text, str(path), is_head) for text in texts]
    rows = next((rows for rows in found if rows is not None), None)
    if rows is None:
        raise DeskError(
            "{file}: expected the columns {columns} in one of the first lines, got {got!r}",
            file=path,
            columns=columns,
            got=first_line(texts[0]),
        )
    return rows


def _called(path: Path, line: int, at: str, name: str) -> Called:
    trial = _NAMES.get(typed.plain(name).strip().lower())
    if trial is None:
        raise DeskError(
            "{file}, line {line}: a trial is one of {words}, got {got!r}",
            file=path,
            line=line,
            words=", ".join(Trial),
            got=name,
        )
    try:
        return Called(round(seconds_of(at) * 1e9), trial)
    except ValueError as error:
        raise DeskError(
            "{file}, line {line}: expected a time on the film's clock such as 93.5 or 1:33.5, got {got!r}",
            file=path,
            line=line,
            got=at,
        ) from error


def seconds_of(text: str) -> float:
    """Return a time such as `93.5` or `1:33.5` in seconds; ValueError if it is none."""
    *minutes, seconds = typed.plain(text).strip().replace(",", ".").split(":")
    t_s: float = typed.number(seconds) + sum(
        60.0**power * int(one) for power, one in enumerate(minutes[::-1], 1)
    )
    if t_s < 0:
        raise ValueError(f"expected a time from 0 on, got {text!r}")
    return t_s


def _is_head(head: Sequence[str]) -> bool:
    return all(any(cell in names for cell in head) for names in _COLUMNS.values())


def measure_trials(
    film: Film, calls: Sequence[Called], known: PriorKnowledge, watched: Callable[[int], None]
) -> dict[str, Any]:
    """Watch a film of trials, called in order of time, and return its table, as `HallTrials.figures`.

    Raises DeskError if the film cannot be read, ends before the first trial, or none could be watched.
    `watched`: called with the instant of every picture, in nanoseconds.
    """
    trials, left = HallTrials(known), list(calls)
    with DeskError.wrapping("", VideoError):
        for frame in film.pictures():
            watched(frame.t_ns)
            trials.feed(frame)
            if left and left[0].t_ns <= frame.t_ns:
                trials.begin(left.pop(0).trial)
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


def table_lines(figures: Mapping[str, Any], say: Say) -> Iterator[str]:

    def row(*cells: Sentence | str | int) -> str:
        return f"| {' | '.join(say(cell) if isinstance(cell, Sentence) else str(cell) for cell in cells)} |"

    yield row(Sentence("figure"), Sentence("value"))
    yield "|---|---|"
    for name, words, factor, form in _ROWS:
        value = figures.get(name)
        yield row(words, Sentence("not known") if value is None else form.format(factor * value))
    for trial, by in figures["shock"].items():
        if not sum(by["cards"]):
            continue
        yield ""
        where = Sentence("{trial}: distance from the hand", trial=_TRIALS[Trial(trial)])
        yield row(
            where, Sentence("cards"), Sentence("usual"), Sentence("most"), Sentence("left their places")
        )
        yield "|---|---|---|---|---|"
        from_mm = figures["from_mm"]
        spans = [
            Sentence("{low} to {high} mm", low=f"{low:.0f}", high=f"{high:.0f}")
            for low, high in pairwise(from_mm)
        ]
        classes = [*spans, Sentence("over {low} mm", low=f"{from_mm[-1]:.0f}")]
        columns = (by["cards"], by["usual_mm"], by["most_mm"], by["left"])
        for span, cards, usual, most, left in zip(classes, *columns, strict=True):
            yield row(span, cards, _mm(usual), _mm(most), left)
    yield ""
    counted = Sentence("told as a touch"), Sentence("left to a person"), Sentence("nothing told")
    yield row(Sentence("trial"), Sentence("number"), *counted)
    yield "|---|---|---|---|---|"
    for trial, told in figures["told"].items():
        counts = [told.get(what, 0) for what in ("touch", "unprovable", "nothing")]
        yield row(_TRIALS[Trial(trial)], sum(counts), *counts)


def passes(figures: Mapping[str, Any]) -> bool:
    """Tell whether few enough trials without a touch were told as one (`docs/validation.md`)."""
    touches, trials = _told_wrongly(figures)
    most_share = 0.05
    return touches <= most_share * trials


def judgement_lines(figures: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield what the table says about the pass mark, and what it could not tell."""
    touches, trials = _told_wrongly(figures)
    if trials:
        counted = {"n": touches, "of": trials}
        yield (
            Sentence(
                "{n} of {of} trials without a touch told as a touch: passes (at most 1 in 20)", **counted
            )
            if passes(figures)
            else Sentence(
                "{n} of {of} trials without a touch told as a touch: does not pass (at most 1 in 20)",
                **counted,
            )
        )
    silent = figures["told"].get(Trial.SILENT.value)
    if silent:
        told = {"n": silent.get("nothing", 0), "of": sum(silent.values())}
        yield Sentence("{n} of {of} silent touches were not told at all", **told)
    if figures["unread"]:
        yield Sentence("trials that could not be watched: {n}", n=figures["unread"])
    if figures["after_the_end"]:
        yield Sentence("trials that begin after the film's end: {n}", n=figures["after_the_end"])


def _told_wrongly(figures: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many trials without a touch were told as a touch, and how many there were."""
    without = [told for trial, told in figures["told"].items() if not Trial(trial).touches]
    return sum(told.get("touch", 0) for told in without), sum(sum(told.values()) for told in without)


def _mm(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} mm"
