"""A recording: a folder with a video, and what was read aloud when (format 1).

```
recording.toml    format = 1, game = "karuta", video = "video.mkv", [camera] fps = 60
video.mkv         any codec; time is the container's PTS. Slow motion that is stored stretched (240 frames a
                  second played as 30) is timed as filmed if the phone noted its rate or [camera]
                  filmed_fps = 240 gives it; `reading.jsonl` holds the true times
sound.flac        optional: audio = "sound.flac"; [microphone] start_ms, distance_mm: from when, from how far
second.mkv        optional: second = "second.mkv", another camera's video of the same field, from any side;
                  [second_camera] fps, filmed_fps as above, and offset_ms with offset_unc_ms: by how much its
                  times are ahead of the first video's; if not given, found from a flash or from the play
reading.jsonl     {"t_ms": 800.0, "poem": 17} per line: first sound of the poem on the video's clock; optional
                  are "t_unc_ms", the 95 % half width of t_ms, "confidence", how sure the poem is (0..1), and
                  "doubt", why the ruling is left to a person whatever is seen (`referee.facts.HEARSAY`)
```
"""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeGuard

from calibration.files import json_text
from calibration.files.folders import within
from calibration.files.text import TextFileError, lines_of, read_text
from referee import toml_text
from referee.cards.poems import POEMS
from referee.complaint import sentence_of
from referee.facts import HEARSAY, PoemStarted
from referee.sentence import Sentence, SentenceError

FORMAT = 1
HEAD = "recording.toml"  # the manifest in every recording's folder
JOKA = 0  # number of the opening poem, which has no card
LAST_POEM = max(POEMS)
_READING_UNC_MS = 10.0  # 95 % half width of a `t_ms` without one: nobody hears or marks a first sound better
_OFFSET_UNC_NS = 5_000_000
"""95 % half width of a person's note of the offset between two videos, if none is given."""


class RecordingError(SentenceError, ValueError):
    """A recording's folder is malformed; the text says what was expected and what to do."""


@dataclass(frozen=True, slots=True)
class RecordedReading:
    """One poem that was read aloud."""

    t_ms: float  # its first sound on the video's clock
    poem: int  # its number, 0..100
    t_unc_ms: float = _READING_UNC_MS  # 95 % half width of the instant
    # why nothing is decided about it, one of `referee.facts.HEARSAY`; empty if nothing is in doubt
    doubt: str = ""
    confidence: float = 1.0  # probability in 0..1 that this poem was read; 1 where a person says so

    @property
    def t_ns(self) -> int:
        """The instant in nanoseconds."""
        return round(self.t_ms * 1_000_000)

    @property
    def t_unc_ns(self) -> int:
        """The half width in nanoseconds."""
        return max(1, round(self.t_unc_ms * 1_000_000))

    @property
    def start(self) -> PoemStarted:
        """The poem's first sound."""
        return PoemStarted(self.poem, self.t_ns, self.t_unc_ns, self.confidence)


@dataclass(frozen=True, slots=True)
class Audio:
    """The sound that a microphone beside the field recorded."""

    path: Path  # the sound file, which exists
    start_ns: int = 0  # when its first sample was recorded, on the video's clock
    distance_m: float = 1.0


@dataclass(frozen=True, slots=True)
class SecondVideo:
    """The video of another camera of the same field."""

    path: Path  # the video file, which exists
    fps_nominal: float | None = None  # frame rate the camera was set to (for people), or None if unknown
    # offset_ns, offset_unc_ns: by how much its times are ahead of the first video's, and the 95 % half width
    # of that; None if it was not measured
    offset_ns: int | None = None
    offset_unc_ns: int = _OFFSET_UNC_NS
    # pictures a second that were filmed in slow motion, None if the file's times are true
    filmed_fps: float | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording's folder, checked."""

    path: Path
    game: str  # a name such as `karuta`, `koikoi` or `kendo`
    video: Path  # path of the video file, which exists
    fps_nominal: float | None  # frame rate the camera was set to (for people), or None if unknown
    # the poems in the order of their instants; empty for games other than karuta
    readings: tuple[RecordedReading, ...]
    audio: Audio | None = None  # the sound of the table, None without
    second: SecondVideo | None = None  # another camera's video, None without
    # pictures a second that were filmed in slow motion, None if the file's times are true
    filmed_fps: float | None = None


def load_recording(folder: str | Path) -> Recording:
    """Read and check a recording's folder.

    Raises RecordingError if the folder, `recording.toml`, the video or `reading.jsonl` is missing or
    malformed.
    """
    path = Path(folder)
    if not path.is_dir():
        raise RecordingError(
            "{path} is not a folder: a recording is a folder with {head} in it", path=path, head=HEAD
        )
    head = _read_head(path / HEAD)
    version = head.get("format")
    if version != FORMAT:
        raise RecordingError(
            "{file}: this shinpan reads format = {format}, got {version!r}",
            file=path / HEAD,
            format=FORMAT,
            version=version,
        )
    game = head.get("game")
    if not isinstance(game, str) or not game.isidentifier():
        raise RecordingError(
            "{file}: game must be a name such as karuta, koikoi or kendo, got {game!r}",
            file=path / HEAD,
            game=game,
        )
    name = head.get("video")
    if not isinstance(name, str) or not name:
        raise RecordingError(
            "{file}: video must name the video file, got {name!r}", file=path / HEAD, name=name
        )
    video = _named(path, name)
    if not video.is_file():
        raise RecordingError(
            "the video {video} is missing: copy it into the folder or correct `video`", video=video
        )
    readings = read_readings(path / "reading.jsonl") if game == "karuta" else ()
    camera = head.get("camera", {})
    fps, filmed_fps = _fps(camera, path, "camera"), _fps(camera, path, "camera", "filmed_fps")
    return Recording(path, game, video, fps, readings, _audio(head, path), _second(head, path), filmed_fps)


def _named(path: Path, name: str) -> Path:
    try:
        return within(path, name)
    except ValueError as error:
        raise RecordingError("{file}: {why}", file=path / HEAD, why=sentence_of(error)) from error


def _read_head(path: Path) -> dict[str, Any]:
    try:
        return toml_text.parse(read_text(path))
    except FileNotFoundError as error:
        raise RecordingError("{path} is missing: every recording needs one", path=path) from error
    except (ValueError, OSError) as error:
        raise RecordingError(
            "{path} cannot be read as TOML: {why}", path=path, why=sentence_of(error)
        ) from error


def _fps(camera: object, path: Path, table: str, key: str = "fps") -> float | None:
    fps = camera.get(key) if isinstance(camera, dict) else camera if key == "fps" else None
    if fps is None:
        return None
    if not is_number(fps) or fps <= 0:
        raise RecordingError(
            "{file}: [{table}] {key} must be a number above 0, got {fps!r}",
            file=path / HEAD,
            table=table,
            key=key,
            fps=fps,
        )
    return float(fps)


def _audio(head: dict[str, Any], path: Path) -> Audio | None:
    name, microphone = head.get("audio"), head.get("microphone", {})
    if name is None:
        return None
    if not isinstance(name, str) or not _named(path, name).is_file():
        raise RecordingError(
            "the sound {file} is missing: copy it into the folder or correct `audio`", file=path / str(name)
        )
    values = microphone if isinstance(microphone, dict) else {}
    start_ms, distance_mm = values.get("start_ms", 0.0), values.get("distance_mm", 1000.0)
    if not is_number(start_ms) or not is_number(distance_mm) or distance_mm < 0:
        raise RecordingError(
            "{file}: [microphone] takes start_ms and distance_mm, got {microphone!r}",
            file=path / HEAD,
            microphone=microphone,
        )
    return Audio(path / name, round(start_ms * 1e6), distance_mm / 1e3)


def _second(head: dict[str, Any], path: Path) -> SecondVideo | None:
    name, camera = head.get("second"), head.get("second_camera", {})
    if name is None:
        return None
    if not isinstance(name, str) or not _named(path, name).is_file():
        raise RecordingError(
            "the second camera's video {file} is missing: copy it into the folder or correct `second`",
            file=path / str(name),
        )
    values = camera if isinstance(camera, dict) else {}
    fps, filmed_fps = (_fps(camera, path, "second_camera", key) for key in ("fps", "filmed_fps"))
    offset_ms, unc_ms = values.get("offset_ms"), values.get("offset_unc_ms", _OFFSET_UNC_NS / 1e6)
    if offset_ms is None:
        return SecondVideo(path / name, fps, filmed_fps=filmed_fps)
    if not is_number(offset_ms) or not is_number(unc_ms) or unc_ms <= 0:
        raise RecordingError(
            "{file}: [second_camera] takes offset_ms and offset_unc_ms (above 0), got {camera!r}",
            file=path / HEAD,
            camera=camera,
        )
    return SecondVideo(path / name, fps, round(offset_ms * 1e6), max(1, round(unc_ms * 1e6)), filmed_fps)


def read_readings(path: Path) -> tuple[RecordedReading, ...]:
    """Read and check a `reading.jsonl`; RecordingError if it is missing, or a line is malformed."""
    try:
        lines = lines_of(read_text(path))
    except FileNotFoundError as error:
        raise RecordingError("{path} is missing: it says which poem was read when", path=path) from error
    except (TextFileError, OSError) as error:
        raise RecordingError(
            "{path} cannot be read as text: {why}", path=path, why=sentence_of(error)
        ) from error
    readings = tuple(
        _reading(line, f"{path} line {number}") for number, line in enumerate(lines, 1) if line.strip()
    )
    if not readings:
        raise RecordingError("{path} is empty: it must hold a line for each poem that was read", path=path)
    for earlier, later in pairwise(readings):
        if later.t_ms <= earlier.t_ms:
            raise RecordingError(
                "{path}: poems must follow each other in time, but poem {later} at {later_ms} ms "
                "comes after poem {earlier} at {earlier_ms} ms",
                path=path,
                later=later.poem,
                later_ms=later.t_ms,
                earlier=earlier.poem,
                earlier_ms=earlier.t_ms,
            )
    return readings


def _reading(line: str, place: str) -> RecordedReading:
    expected = Sentence("expected {example}", example='{"t_ms": 800.0, "poem": 17}')
    try:
        entry = json_text.parse(line)
    except ValueError as error:
        raise RecordingError(
            "{place} is not JSON ({why}): {expected}, got {line!r}",
            place=place,
            why=sentence_of(error),
            expected=expected,
            line=line[:80],
        ) from error
    fields: dict[str, Any] = entry if isinstance(entry, dict) else {}
    t_ms, poem = fields.get("t_ms"), fields.get("poem")
    if not is_number(t_ms) or t_ms < 0:
        raise RecordingError(
            "{place}: t_ms must be a number of milliseconds from 0, {expected}, got {line!r}",
            place=place,
            expected=expected,
            line=line,
        )
    if not isinstance(poem, int) or isinstance(poem, bool):
        raise RecordingError(
            "{place}: poem must be a whole number, {expected}, got {line!r}",
            place=place,
            expected=expected,
            line=line,
        )
    if not JOKA <= poem <= LAST_POEM:
        raise RecordingError(
            "{place}: poem must lie in {first}..{last} (0 is the joka), got {poem}",
            place=place,
            first=JOKA,
            last=LAST_POEM,
            poem=poem,
        )
    t_unc_ms, doubt = fields.get("t_unc_ms", _READING_UNC_MS), fields.get("doubt", "")
    if not is_number(t_unc_ms) or t_unc_ms <= 0:
        raise RecordingError(
            "{place}: t_unc_ms must be a number of milliseconds above 0, got {t_unc_ms!r}",
            place=place,
            t_unc_ms=t_unc_ms,
        )
    if doubt and doubt not in HEARSAY:
        raise RecordingError(
            "{place}: doubt is one of {doubts}, got {doubt!r}",
            place=place,
            doubts=", ".join(HEARSAY),
            doubt=doubt,
        )
    confidence = fields.get("confidence", 1.0)
    if not is_number(confidence) or not 0 <= confidence <= 1:
        raise RecordingError(
            "{place}: confidence must be a number in 0..1, got {confidence!r}",
            place=place,
            confidence=confidence,
        )
    return RecordedReading(float(t_ms), poem, float(t_unc_ms), doubt, float(confidence))


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value from a file is a number that a recording can hold: finite, and not immense."""
    immense = 1e15  # no time in milliseconds, length or rate comes near it
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= immense
