"""A club's own torifuda, enrolled and then used by `shinpan identify` and `judge`; and a measured lens."""

import asyncio
import json
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from desk.commands.cli import main
from desk.errors import DeskError
from desk.karuta.eye.prior_knowledge import known_of
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.setup import SetUp
from desk.machine import camera_records, decks
from referee.cards.poems import POEMS
from referee.layout import Layout
from tests.secret_script import draw_card, photograph
from vision.frames.shutter import LEAST_SIGMA_NS
from vision.simulator.drawing.camera import Camera
from vision.simulator.hall.match import SimulatedMatch
from vision.torifuda.prior_knowledge import Hall, PriorKnowledge


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("club")
    lines = ["file,card_id"]
    for poem in POEMS:
        cv2.imwrite(str(folder / f"{poem}.png"), draw_card(poem))
        lines.append(f"{poem}.png,{poem}")
    (folder / "index.csv").write_text("\n".join(lines))
    return folder


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setattr(decks, "data_folder", lambda: folder)
    monkeypatch.setattr(camera_records, "data_path", lambda: folder)
    return folder


@pytest.fixture
def enrolled(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["enrol", "--game", "karuta", "--name", "brush", "--folder", str(pictures)]) == 0
    capsys.readouterr()


@pytest.fixture(scope="module")
def layout() -> Layout:
    return SimulatedMatch(21, cards_per_side=6).start


@pytest.fixture(scope="module")
def field(layout: Layout) -> Any:
    return photograph(layout, Camera(1280, 720, across_m=1.2, height_m=1.6, tilt_rad=0.03))


@pytest.mark.usefixtures("enrolled")
def test_a_film_is_judged_on_the_deck_s_layout(
    field: Any, layout: Layout, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dead = next(poem for poem in POEMS if layout.find(poem) is None)
    rng = np.random.default_rng(1)
    with av.open(str(tmp_path / "video.mkv"), "w") as container:
        stream = container.add_stream("mjpeg", rate=30, options={"qmin": "2", "qmax": "4"})
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuvj420p"
        for _ in range(45):
            noisy = np.clip(field + rng.normal(0, 1.5, field.shape), 0, 255).astype(np.uint8)
            container.mux(
                stream.encode(av.VideoFrame.from_ndarray(noisy, format="gray").reformat(format="yuvj420p"))
            )
        container.mux(stream.encode(None))
    (tmp_path / "recording.toml").write_text(
        'format = 1\ngame = "karuta"\nvideo = "video.mkv"\n[camera]\nfps = 30\n'
    )
    (tmp_path / "reading.jsonl").write_text(json.dumps({"t_ms": 700.0, "poem": dead}) + "\n")
    out = tmp_path / "out.json"
    assert main(["judge", str(tmp_path), "--json", str(out)]) == 2
    assert "not a single karuta card could be read" in capsys.readouterr().err
    assert main(["judge", str(tmp_path), "--json", str(out), "--deck", "brush"]) == 0
    assert {card["card"] for card in json.loads(out.read_text())["layout"]} == {
        placed.card for placed in layout
    }


def test_a_deck_that_is_not_there_or_no_karuta_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeskError, match="there is no deck"):
        known_of("brush")
    with pytest.raises(DeskError, match="one of hanafuda"):
        known_of(decks.BUILT_IN)


def test_what_was_measured_of_a_camera_and_its_hall_is_known_by_its_name(home: Path) -> None:
    def measured(what: str, **figures: object) -> PriorKnowledge:
        camera_records.keep("cam", what, figures)
        return known_of(None, "cam")

    assert known_of(None, "cam").lens is None
    lens = measured("lens", k1=-0.08, focal_px=[1600.0, 1601.0], width_px=1280, height_px=720).lens
    assert lens is not None
    assert (lens.focal, lens.k1) == (2.5, -0.08)
    readout = measured("shutter", readout_s=0.0093, unc_s=0.00098, seen_by="flicker").readout
    assert readout is not None
    assert [readout.mean_ns, readout.sigma_ns] == pytest.approx([9.3e6, 0.5e6])
    sure = measured("shutter", readout_s=0.01, unc_s=1e-9).readout
    assert sure is not None
    assert sure.sigma_ns == LEAST_SIGMA_NS, "no measurement is believed to the microsecond"
    assert measured("shutter", failed="no lamp ripples").readout is None
    hall = measured("hall", floor_mm=0.7, ripple_share=0.12, lag_ms=40.0, creep_mm=None).hall
    assert hall == Hall(0.7, 0.12, 40e6)
    assert measured("hall", floor_mm=None).hall == known_of(None).hall == Hall()


@pytest.mark.usefixtures("enrolled")
def test_the_panel_offers_the_deck_and_the_eye_reads_with_it() -> None:
    async def story(set_up: SetUp) -> None:
        assert set_up.choices()["decks"] == ["brush"]
        await set_up.choose("simulator", "seed=3 cards=4 speed=1", "brush")
        try:
            assert set_up.state()["deck"] == "brush"
            assert set_up.watch is not None
            assert set_up.watch.beside.known.faces is not None
        finally:
            await set_up.leave()
        await set_up.choose("simulator", "seed=3 cards=4 speed=1", "no such")
        assert "there is no deck of torifuda 'no such'" in str(set_up.state()["problem"])
        await set_up.choose("video", "nowhere", "")
        assert set_up.state()["deck"] is None

    asyncio.run(story(SetUp(Agreement(), lambda *_: None)))
