"""Films that end early, begin late, are cut, flagged or damaged: what they do not show is not decided."""

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import cv2
import numpy as np
import pytest

from desk.errors import DeskError
from desk.karuta.eye.film_hints import doubt_of, hint_of, in_doubt
from desk.karuta.eye.recorded_match import judge_recording, watch_recording
from desk.tables.film import TableFilm
from desk.tables.recording import Declaration
from desk.tables.table_opening import RecordedPoem, recorded_table
from referee.facts import Gap, PoemStarted
from referee.layout import Layout
from tests.desk.filmed import filmed
from tests.vision.sources.written_video import edited, write_video
from vision.frames.frame import Frame, Gray
from vision.frames.quantiser import POOR_PICTURES
from vision.poem.events import PoemSeen
from vision.recordings.recording import load_recording
from vision.simulator import single_poem, write_recording
from vision.sources.video_file import VideoSource

STEP_MS = 1000 / 30
Poem = tuple[Sequence[Gray], dict[str, Any]]


@pytest.fixture(scope="module")
def played() -> Poem:
    """A poem that is taken: its pictures, 30 a second, and what happened."""
    match = single_poem("opp", 3, fps=30, size=(640, 360), cards_per_side=8)
    pictures = [frame.gray for frame in match]
    return pictures, match.truth["poems"][0]


def recording(folder: Path, pictures: Sequence[Gray], poem: int, *first_sounds_ms: float) -> Path:
    filmed(folder, pictures)
    lines = [json.dumps({"t_ms": t_ms, "poem": poem}) for t_ms in first_sounds_ms]
    (folder / "reading.jsonl").write_text("\n".join(lines))
    return folder


def only(judged: dict[str, Any]) -> Any:
    (poem,) = judged["poems"]
    return poem


@pytest.mark.parametrize("while_playing", [False, True])
def test_a_film_that_ends_early_decides_nothing(tmp_path: Path, played: Poem, while_playing: bool) -> None:
    pictures, truth = played
    last_ms = max(touch["t_ms"] for touch in truth["touches"]) + 150 if while_playing else truth["t_ms"] + 250
    early = pictures[: round(last_ms / STEP_MS)]
    found = only(judge_recording(recording(tmp_path / "early", early, truth["poem"], truth["t_ms"])))
    assert found["ruling"]["status"] == "review"
    assert "gap" in found["ruling"]["doubts"]


def test_a_film_may_begin_with_the_poems_first_sound(tmp_path: Path, played: Poem) -> None:
    pictures, truth = played
    late = pictures[round(truth["t_ms"] / STEP_MS) :]
    found = only(judge_recording(recording(tmp_path / "late", late, truth["poem"], 0.0)))["ruling"]
    assert found["status"] == "decided"
    keys = ("taken_by", "faults", "sends")
    assert [found[key] for key in keys] == [truth["ruling"][key] for key in keys]


def test_a_film_may_have_two_sizes(tmp_path: Path, played: Poem, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is open as they meet goes to the officials, and what follows is judged."""
    pictures, truth = played
    first, second = truth["t_ms"], len(pictures) * STEP_MS + truth["t_ms"]
    folder = recording(tmp_path / "joined", pictures, truth["poem"], first, second)
    cut = round(first / STEP_MS) + 3

    def frames(source: VideoSource) -> Iterator[Frame]:
        grays = [*pictures[:cut], *(cv2.resize(gray, (960, 540)) for gray in pictures)]
        starts = [*range(cut), *range(len(pictures), 2 * len(pictures))]
        for index, (gray, number) in enumerate(zip(grays, starts, strict=True)):
            source.ends_ns = round(number * STEP_MS * 1e6)
            yield Frame(np.asarray(gray, np.uint8), source.ends_ns, 1_000, index)

    monkeypatch.setattr(VideoSource, "__iter__", frames)
    early, late = judge_recording(folder)["poems"]
    assert (early["ruling"]["status"], early["ruling"]["doubts"]) == ("review", ["gap"])
    assert (late["ruling"]["status"], late["ruling"]["taken_by"]) == ("decided", truth["ruling"]["taken_by"])


def test_poems_that_lie_outside_the_film_are_told_with_its_times(tmp_path: Path, played: Poem) -> None:
    pictures, truth = played
    folder = recording(tmp_path / "clip", pictures[:20], truth["poem"], 60_000.0)
    with pytest.raises(DeskError, match=r"runs from \d+ to \d+ ms, .* from 60000 to 60000 ms"):
        judge_recording(folder)


def test_what_was_declared_long_after_a_film_is_left_out_and_counted(tmp_path: Path, played: Poem) -> None:
    path = filmed(tmp_path, played[0][:5]) / "video.avi"
    said = [Declaration(4 * STEP_MS + after_ms, 0, "stop") for after_ms in (-10.0, 500.0, 30_000.0)]
    film = TableFilm(path, None, said)
    heard = [each for _, declared in film for each in declared]
    assert [*heard, *film.end(table_was_seen=True)] == said[:2]
    assert "1 lines of declarations.jsonl" in film.stats.line()["hint"]


# --- holes and cuts --------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def dead(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A dead poem in which somebody touches a card: its recording, and when that happens, in ms."""
    clip = single_poem("dead_touch", 3, fps=60, size=(640, 360), cards_per_side=8)
    folder = write_recording(clip, tmp_path_factory.mktemp("holes") / "clip")
    truth = json.loads((folder / "truth.json").read_text())
    return folder, min(touch["t_ms"] for touch in truth["poems"][0]["touches"])


@pytest.mark.parametrize(
    ("from_ms", "to_ms", "status"), [(-100, 700, "review"), (-500, -200, "decided"), (500, 800, "decided")]
)
def test_a_hole_in_which_a_card_left_leaves_the_poem_to_a_person(
    dead: tuple[Path, float], from_ms: float, to_ms: float, status: str
) -> None:
    folder, touched_ms = dead

    class Holed(VideoSource):
        """A film without the pictures of a stretch; all others keep their instants."""

        def _frames(self) -> Iterator[Frame]:
            for frame in super()._frames():
                if not from_ms <= frame.t_ns / 1e6 - touched_ms < to_ms:
                    yield frame

    found = only(watch_recording(folder, opened=Holed).judged)["ruling"]
    assert found["status"] == status
    assert ("gap" in found["doubts"]) is (status == "review")


@pytest.mark.slow
def test_a_poem_that_was_cut_goes_to_the_officials(tmp_path: Path) -> None:
    folder = write_recording(single_poem("opp", 3, fps=60, size=(640, 360), cards_per_side=8), tmp_path / "a")
    with av.open(str(folder / "video.mkv")) as stored, av.open(str(folder / "video.mov"), "w") as film:
        pictures = stored.streams.video[0]
        stream = film.add_stream_from_template(pictures)
        for packet in stored.demux(pictures):
            if packet.size:
                packet.stream = stream
                film.mux(packet)
    head = folder / "recording.toml"
    head.write_text(head.read_text("utf-8").replace("video.mkv", "video.mov"), "utf-8")
    whole = only(judge_recording(folder))
    assert whole["ruling"]["status"] == "decided"
    with av.open(str(folder / "video.mov")) as written:
        time_base = written.streams.video[0].time_base
        media_hz, end_s = Fraction(time_base or 1).denominator, (written.duration or 0) / 1e6
    since_s = whole["touches"][0]["t_ms"] / 1e3 - next(iter(VideoSource(folder / "video.mov"))).t_ns / 1e9
    edited(folder / "video.mov", [(0.0, since_s - 0.1), (since_s + 0.3, end_s)], media_hz)
    cut = only(judge_recording(folder))
    assert cut["ruling"]["status"] == "review"
    assert "gap" in cut["ruling"]["doubts"]
    gaps = [item for item in recorded_table(folder, 1000).happenings() if isinstance(item, Gap)]
    assert [gap.reason for gap in gaps] == ["film_cut"]


# --- films from the world that were ruled wrongly --------------------------------------------------------
@pytest.mark.shared
@pytest.mark.parametrize("case", ["01-hole-in-film", "05-two-lost-pictures"])
def test_films_of_others_with_holes_are_left_to_a_person(shared: Path, case: str) -> None:
    found = only(judge_recording(shared / "cases" / case))["ruling"]
    assert found["status"] == "review"
    assert "gap" in found["doubts"]


@pytest.mark.shared
def test_a_film_that_is_flagged_as_mirrored_is_refused_as_that(shared: Path) -> None:
    """Its pixels are as filmed: shown as it asks, no card is legible; near and far never change places."""
    with pytest.raises(DeskError, match=r"are mirrored: .* the film itself asks for it \(display matrix\)"):
        judge_recording(shared / "cases" / "02-mirror-flag")


@pytest.mark.shared
def test_an_avi_with_b_frames_loses_no_picture(shared: Path) -> None:
    judged = judge_recording(shared / "cases" / "04-b-frames-in-avi")
    assert (judged["stats"]["frames"], judged["stats"]["untimed_frames"]) == (137, 0)
    (touch,) = [touch for touch in only(judged)["touches"] if touch["card"] == 83]
    assert abs(touch["t_ms"] - 1471.2) <= touch["t_unc_ms"]


@pytest.mark.shared
def test_a_film_of_half_the_rate_is_told_by_both_causes(shared: Path) -> None:
    """Its card is dead: that one is touched early proves nothing about the film's times."""
    judged = judge_recording(shared / "cases" / "13-half-rate-film")
    assert "write fps = 30" in judged["stats"]["hint"]
    assert "filmed_fps = 60" in judged["stats"]["hint"]
    assert only(judged)["ruling"]["status"] == "review"


# --- what a film leaves in doubt is told as each poem begins ---------------------------------------------
def noise(folder: Path, fps: int, begins_ms: int, codec: str, **how: Any) -> list[Any]:
    """Film noise in which a poem is read; return what a table that plays it tells."""
    dice = np.random.default_rng(1)
    stamped = [
        (begins_ms + number * 100 // 3, dice.integers(0, 255, (48, 64), dtype=np.uint8))
        for number in range(20)
    ]
    write_video(folder / "video.mkv", stamped, codec, **how)
    head = f'format = 1\ngame = "karuta"\nvideo = "video.mkv"\n[camera]\nfps = {fps}\n'
    (folder / "recording.toml").write_text(head)
    (folder / "reading.jsonl").write_text('{"t_ms": 200.0, "poem": 17}\n')
    return list(recorded_table(folder, 1000, doubt_of).happenings())


def reasons(items: Sequence[object]) -> list[str]:
    return [item.reason for item in items if isinstance(item, Gap)]


@pytest.mark.parametrize(
    ("fps", "begins_ms", "doubts"),
    [(30, 0, []), (60, 0, ["times_unknown"]), (30, 1500, ["not_filmed"])],
    ids=["as said", "half the rate", "read before the film"],
)
def test_a_film_says_what_is_in_doubt(tmp_path: Path, fps: int, begins_ms: int, doubts: list[str]) -> None:
    happenings = noise(tmp_path, fps, begins_ms, "mjpeg", pixels="yuvj420p")
    at = next(place for place, item in enumerate(happenings) if isinstance(item, RecordedPoem))
    assert reasons(happenings) == doubts
    assert reasons(happenings[at + 1 : at + 2]) == doubts


@pytest.mark.parametrize(("quantiser", "doubts"), [(30, []), (45, [POOR_PICTURES])])
def test_pictures_that_are_compressed_too_coarsely_leave_the_poem_in_doubt(
    tmp_path: Path, quantiser: int, doubts: list[str]
) -> None:
    encoder = {"qp": str(quantiser), "bf": "0"}
    assert reasons(noise(tmp_path, 30, 0, "libx264", encoder=encoder)) == doubts
    source, told = VideoSource(tmp_path / "video.mkv"), load_recording(tmp_path)
    ends_ns = [frame.t_ns for frame in source][-1]
    start = PoemStarted(17, 200_000_000, 1)
    unread: Any = SimpleNamespace(layout=Layout(()))

    def seen(*facts: Gap) -> dict[int, PoemSeen]:
        return {start.t_ns: PoemSeen(start, unread, facts, ends_ns)}

    def hint(*facts: Gap) -> str:
        return hint_of(told, source, seen(*facts)).get("hint", "")

    assert reasons(in_doubt(told, source, seen())[start.t_ns].facts) == doubts
    assert ("coarsely" in hint()) is bool(doubts)
    if not doubts:
        holed = hint(Gap(210_000_000, 291_000_000, "dropped_frames"))
        assert "missing in 1 of 1 poems of video.mkv (holes of up to 81 ms)" in holed
        assert hint(Gap(210_000_000, 227_000_000, "dropped_frames")) == "", "one picture alone"
