"""Judging a recorded match: the eye watches its film, the sound gives hits, the rules judge every poem."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from calibration.failure import FailedEstimation
from desk.errors import DeskError
from desk.karuta.evidence.poem_json import judged_poem, layout_json
from desk.karuta.eye.film_hints import hint_of, in_doubt, no_card_read
from desk.karuta.eye.second_film import SecondFilm
from desk.tables.rules_option import load_rules
from referee.facts import FieldSettled
from referee.karuta.house_rules import PRESETS
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import RuleSet
from referee.sentence import Sentence
from vision.field.wrong_view import Wrong, WrongView
from vision.match.endurance import Endurance
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.recordings.recording import JOKA, Audio, Recording, RecordingError, load_recording
from vision.sources.video_file import VideoError, VideoSource
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge
from vision.witnesses.hearing import with_impacts
from vision.witnesses.impacts import Impact, Microphone, find_impacts


def rules_named(name: str | None) -> RuleSet:
    """Return the house rules of a preset or a TOML file, the usual ones for None; else DeskError."""
    return load_rules(PRESETS, name or PRESETS.default)


@dataclass(frozen=True, slots=True)
class WatchedRecording:
    """A recording that was watched."""

    judged: dict[str, Any]
    # what was seen of each poem; the keys are the instants of the first sounds in nanoseconds
    seen: Mapping[int, PoemSeen]


def judge_recording(
    folder: Path,
    rules: RuleSet = PRESETS["kyogi"],
    known: PriorKnowledge = NOTHING_KNOWN,
    watched: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Watch a recording and judge each of its poems; see `watch_recording`. Returns JSON."""
    return watch_recording(folder, rules, known, watched).judged


def watch_recording(
    folder: Path,
    rules: RuleSet = PRESETS["kyogi"],
    known: PriorKnowledge = NOTHING_KNOWN,
    watched: Callable[[int], None] | None = None,
    stretch_ns: tuple[int, int | None] = (0, None),
    *,
    opened: Callable[..., VideoSource] | None = None,
) -> WatchedRecording:
    """Watch a recording, or a stretch of it, and judge each of its poems.

    Raises DeskError if the recording or its video cannot be read, or no card is found in it. `watched` is
    called with the instant of every picture, in nanoseconds. `stretch_ns`: first and last instant to watch;
    None for the film's end. `opened`: opens the film instead of `VideoSource`, with the same parameters.
    """
    started_ns, started_cpu_ns = time.perf_counter_ns(), time.process_time_ns()
    with DeskError.wrapping("", RecordingError, VideoError):
        recording = load_recording(folder)
        if recording.game != "karuta":
            raise DeskError(
                "{folder} is a recording of {game}; this judges karuta", folder=folder, game=recording.game
            )
        impacts = [] if recording.audio is None else _impacts(recording.audio)
        source = (opened or VideoSource)(recording.video, recording.filmed_fps, may_be_cut=True)
        second = None if recording.second is None else SecondFilm(recording.second, source)
        watch = _Watch(recording, second, known)
        source.starts_ns, until_ns = stretch_ns
        events = list(watch.events(source, watched, until_ns))
    layouts = [event.layout for event in events if isinstance(event, FieldSettled)]
    if not any(layout.is_read for layout in layouts):
        shapes = max((len(layout) for layout in layouts), default=0)
        raise DeskError(_no_field(recording, source, watch.watcher.problem, shapes))
    seen = {
        event.start.t_ns: replace(event, facts=with_impacts(event.facts, impacts))
        for event in events
        if isinstance(event, PoemSeen)
    }
    seen = in_doubt(recording, source, seen)
    poems = [
        judged_poem(reading.start, seen.get(reading.t_ns), rules)
        | ({"reading_doubt": reading.doubt} if reading.doubt else {})
        for reading in recording.readings
        if reading.poem != JOKA
    ]
    video_s = (source.ends_ns - source.begins_ns) / 1e9
    wall_s = (time.perf_counter_ns() - started_ns) / 1e9
    judged = {
        "layout": layout_json(next(layout for layout in layouts if layout.is_read)),
        "poems": poems,
        "risk": risk_of(rules).to_json(),
        "stats": {
            "frames": source.counters.delivered + source.passed_over,
            "unreadable_frames": source.counters.damaged,
            "untimed_frames": source.counters.untimed,
            "repeated_frames": source.counters.repeated,
            "slow_motion": round(source.slow_motion, 3),
            **hint_of(recording, source, seen),
            "video_s": round(video_s, 3),
            "wall_s": round(wall_s, 3),
            "cpu_s": round((time.process_time_ns() - started_cpu_ns) / 1e9, 3),
            "times_real_time": round(video_s / wall_s, 2),
            **({} if second is None else {"second_camera": second.told()}),
            **({"eye_failed": watch.failures} if watch.failures else {}),
        },
    }
    return WatchedRecording(judged, seen)


def _no_field(
    recording: Recording, source: VideoSource, problem: FailedEstimation | None, shapes: int
) -> Sentence:
    """Return why no field was read in a video with so many illegible outlines of cards, and what to do."""
    video, begins_ms, ends_ms = recording.video, source.begins_ns / 1e6, source.ends_ns / 1e6
    if source.counters.damaged > source.counters.delivered:
        return Sentence(
            "{n} pictures of {film} are damaged: copy the film anew from the camera",
            n=source.counters.damaged,
            film=video,
        )
    if not any(source.begins_ns <= reading.t_ns <= source.ends_ns for reading in recording.readings):
        return Sentence(
            "no poem was read while {film} was filmed: it runs from {begins} to {ends} ms, the first sounds "
            "in reading.jsonl from {first} to {last} ms; they are to be given on the film's clock",
            film=video,
            begins=round(begins_ms),
            ends=round(ends_ms),
            first=round(recording.readings[0].t_ms),
            last=round(recording.readings[-1].t_ms),
        )
    if isinstance(problem, WrongView):
        hint = problem.hint
        if problem.wrong is Wrong.MIRRORED and source.is_mirrored:
            hint = Sentence("the film itself asks for it (display matrix): export it without mirroring")
        return Sentence(
            "{film} cannot be judged: {reason}; {hint}", film=video, reason=problem.reason, hint=hint
        )
    if shapes:
        return Sentence("{film}: {why}", film=video, why=no_card_read(shapes))
    if problem is None:
        return Sentence(
            "no karuta cards were found in {film}: the whole field must be in view, from above, with the "
            "near player at the bottom edge",
            film=video,
        )
    return Sentence(
        "no karuta cards were found in {film} ({why}): the whole field must be in view, from above, with the "
        "near player at the bottom edge",
        film=video,
        why=problem.told,
    )


class _Watch:
    """Feeds a recording to the eye, with each poem at its time."""

    def __init__(
        self, recording: Recording, second: SecondFilm | None = None, known: PriorKnowledge = NOTHING_KNOWN
    ) -> None:
        self._second, self._known = second, known
        self.failures: list[str] = []
        self._readings = list(recording.readings)
        self._shape_px: tuple[int, int] | None = None
        self._open_eye()

    def _open_eye(self) -> None:
        witness = None if self._second is None else self._second.witness
        self.watcher = MatchWatcher(report_tidying=False, second=witness, known=self._known)
        self._tried = Endurance(self.watcher, self.failures).tried

    def events(
        self, source: VideoSource, watched: Callable[[int], None] | None = None, until_ns: int | None = None
    ) -> Iterator[WatchEvent]:
        cuts_ns = list(source.cuts_ns)
        for frame in source:
            if until_ns is not None and frame.t_ns > until_ns:
                break
            if watched is not None:
                watched(frame.t_ns)
            if cuts_ns and cuts_ns[0] <= frame.t_ns:  # after a cut the field may be a different one
                del cuts_ns[0]
                yield from self.watcher.give_up(frame.t_ns, "film_cut")
                self._open_eye()
            if self._second is not None:
                self._second.show_until(frame.t_ns)
            first = frame.shape_px != self._shape_px
            if first:  # a poem may begin with the film, and it needs a picture of its field
                if self._shape_px is not None:
                    yield from self.watcher.give_up(frame.t_ns, "size_changed")
                    self._open_eye()
                self._shape_px = frame.shape_px
                yield from self._tried(partial(self.watcher.feed, frame), frame.t_ns)
            while self._readings and self._readings[0].t_ns <= frame.t_ns:
                start = self._readings.pop(0).start
                yield from self._tried(partial(self.watcher.poem_started, start), frame.t_ns, again=True)
            source.is_enough = not self._readings and not self.watcher.poem_is_open
            if not source.is_enough and not first:
                yield from self._tried(partial(self.watcher.feed, frame), frame.t_ns)
            source.glances = self.watcher.rests
        yield from self._tried(self.watcher.close, source.ends_ns)


def _impacts(audio: Audio) -> list[Impact]:
    from recitation.imports.decoding import read

    with DeskError.wrapping("the sound {path} cannot be read: {why}", ValueError, path=audio.path):
        wave, rate_hz = read(audio.path)
        return find_impacts(wave.mean(axis=1), rate_hz, audio.start_ns, Microphone(audio.distance_m))
