"""Pictures: what is drawn anew, how it joins the resting picture, what a webcam shows, and the recording."""

import json
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from trace_films import main, staged
from traced.choreography import Shot
from traced.film import Film, packed, told, unpacked
from traced.hall import drawn_hall
from traced.rectangles import COARSER, Box, Light, area, changed_boxes, merged, pasted, relit
from traced.webcam import Webcam

from vision.simulator import write_recording

SEED, SIZE = 661_000, (320, 180)
WEBCAM = Webcam(0.5, 1.0, 0.4, 0.4, 0.5, 1.0, 2.0, 0.0)


def gray(level: float, size: tuple[int, int] = SIZE) -> Light:
    return np.full((size[1], size[0], 3), level, np.float32)


def test_only_what_differs_is_drawn_anew() -> None:
    resting = gray(0.3, (80, 45))
    now = resting.copy()
    now[10:15, 20:30] = 0.1
    (box,) = changed_boxes(now, resting)
    assert box[0] <= 80
    assert box[1] <= 40
    assert box[2] >= 120
    assert box[3] >= 60
    assert area(box) < 0.15 * 320 * 180
    assert changed_boxes(resting * 1.05, resting) == []  # a soft shadow needs no new picture


def test_near_boxes_become_one_and_none_leaves_the_picture() -> None:
    assert merged([(-5, -5, 20, 20), (22, 0, 40, 20)], 320, 180) == [(0, 0, 40, 20)]
    assert len(merged([(0, 0, 20, 20), (280, 150, 330, 190)], 320, 180, cost_px=100)) == 2
    assert merged([(400, 0, 500, 20)], 320, 180) == []


def test_a_new_part_has_no_hard_rim() -> None:
    picture = pasted(gray(0.2), [((100, 50, 200, 120), gray(0.4, (100, 70)))])
    assert picture[85, 150] == pytest.approx(0.4)
    assert picture[20, 20] == pytest.approx(0.2)
    assert np.abs(np.diff(picture[85, :, 0])).max() < 0.03
    whole = pasted(gray(0.2), [((0, 0, *SIZE), gray(0.4))])
    assert whole == pytest.approx(gray(0.4))  # the picture's own rim is no seam


def test_a_soft_shadow_darkens_the_resting_picture() -> None:
    resting = gray(0.3, (SIZE[0] // COARSER, SIZE[1] // COARSER))
    assert relit(gray(0.3), resting * 0.9, resting) == pytest.approx(gray(0.273), abs=0.003)


def test_the_tone_curve_rises_and_never_clips_hard() -> None:
    shown = WEBCAM.curve(np.linspace(0, 2, 200, dtype=np.float32))
    assert shown[0] == pytest.approx(0, abs=1e-6)
    assert (np.diff(shown) > 0).all()
    assert shown[-1] < 1.01


def test_a_webcam_exposes_sharpens_and_has_noise() -> None:
    light = gray(3.0)
    light[:, 160:] = 1.0
    rng = np.random.default_rng(1)
    picture = WEBCAM.expose(light, WEBCAM.gain(light), 0.0, rng).astype(float)
    assert picture.std(axis=(0, 1)).min() > 1
    assert 90 < picture.mean() < 170
    columns = replace(WEBCAM, noise=0.0).expose(light, WEBCAM.gain(light), 0.0, rng)[90, :, 1].astype(int)
    assert columns[150:160].max() > columns[20]  # an unsharp mask overshoots beside an edge


def test_packed_light_comes_back() -> None:
    light = np.random.default_rng(1).uniform(0, 3, (20, 30, 3)).astype(np.float32)
    assert unpacked(packed(light)) == pytest.approx(light, abs=3e-4)


class Painter:
    """A stage that paints each hand and card as a block, and counts its pictures."""

    def __init__(self) -> None:
        self.drawn, self._shot = 0, Shot(0.0)

    def show(self, shot: Shot) -> None:
        self._shot = shot

    def draw(self, box: Box | None = None, *, coarse: bool = False) -> Light:
        self.drawn += not coarse
        picture = gray(0.5)
        for places in self._shot.places.values():
            x, y = places[1][:2, 3] * [250, -250] + [160, 90]
            picture[max(int(y), 0) : max(int(y) + 12, 0), max(int(x), 0) : max(int(x) + 12, 0)] = 0.1
        if coarse:
            return picture[::COARSER, ::COARSER]
        return picture if box is None else picture[box[1] : box[3], box[0] : box[2]]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Painter]]:
    folder, stages = tmp_path_factory.mktemp("traced"), []
    match, hall = staged(SEED, "harai", 30, SIZE), drawn_hall(SEED)

    def stage() -> Painter:
        stages.append(Painter())
        return stages[-1]

    broken = Film(match, hall, folder / "light", stage).pictures()
    while not stages or stages[0].drawn < 6:
        next(broken)
    film = Film(match, hall, folder / "light", stage)
    write_recording(match, folder / "clip", "h264", pictures=film.pictures())
    told(hall, folder / "clip" / "truth.json")
    return folder / "clip", stages


def test_a_film_goes_on_where_it_broke_off(recording: tuple[Path, list[Painter]]) -> None:
    match, stages = staged(SEED, "harai", 30, SIZE), recording[1]
    assert len(stages) == 2
    kept = [*(recording[0].parent / "light").glob("*.png")]
    pictures = Film(match, drawn_hall(SEED), recording[0].parent / "light", Painter).shots
    assert len(kept) < len(pictures)  # those of the hall at rest are drawn once
    again = Film(match, drawn_hall(SEED), recording[0].parent / "light", lambda: pytest.fail("all is drawn"))
    assert len([*again.pictures()]) == len(pictures)


def test_a_recording_is_as_all_others_are(recording: tuple[Path, list[Painter]]) -> None:
    folder, match = recording[0], staged(SEED, "harai", 30, SIZE)
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    assert truth["poems"] == match.truth["poems"]
    assert truth["meta"]["set"] == "traced"
    assert truth["meta"]["conditions"]["hall"] == SEED
    assert "fps = 30" in (folder / "recording.toml").read_text("utf-8")
    reading = json.loads((folder / "reading.jsonl").read_text("utf-8"))
    assert reading["poem"] == truth["poems"][0]["poem"]
    with av.open(str(folder / "video.mkv")) as film:
        times = [frame.pts for frame in film.decode(video=0)]
    shots = Film(match, drawn_hall(SEED), folder.parent / "light", Painter).shots
    assert times == pytest.approx([shot.t_s * 1000 for shot in shots], abs=1)


def test_without_blender_one_line_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "bpy", None)
    monkeypatch.delitem(__import__("sys").modules, "traced.tracer", raising=False)
    monkeypatch.delitem(__import__("sys").modules, "traced.stage", raising=False)
    monkeypatch.setattr("sys.argv", ["trace_films.py", str(tmp_path)])
    assert main() == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_blender_draws_a_hall(tmp_path: Path) -> None:
    pytest.importorskip("bpy")
    from traced.stage import TracedStage

    match, hall = staged(SEED, "harai", 60, (216, 120)), drawn_hall(SEED)
    film = Film(match, hall, tmp_path, lambda: TracedStage(match, hall, 2))
    first, *_, last = film.shots
    resting, later = film.draw(first), film.draw(last)
    swept = match.truth["poems"][0]["touches"][0]["card"]
    x, y = np.array(match.truth["meta"]["corners_px"][str(swept)]).mean(axis=0).round().astype(int)
    assert resting[y, x].mean() > 1.3 * np.median(resting)  # a pale card on a darker floor
    assert later[y, x].mean() < 0.85 * resting[y, x].mean()  # the card was swept away
