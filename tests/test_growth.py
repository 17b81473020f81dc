"""The plots of how cost grows: drawn from the figures that are kept, and explained in both languages."""

import importlib.util
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from benchmarks.growth.__main__ import FIGURES, IMAGES
from benchmarks.growth.curves import CURVES
from benchmarks.growth.plots import drawn

DOCS = IMAGES.parent
KEPT = json.loads(FIGURES.read_text("utf-8"))
PAGES = {"en": DOCS / "explanation" / "cost.md", "ja": DOCS / "ja" / "explanation" / "cost.md"}
NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.])\d")


def picture(name: str, language: str) -> str:
    return f"growth-{name}.svg" if language == "en" else f"growth-{name}.{language}.svg"


def words(svg: str) -> list[str]:
    """Return the texts of a picture, from the first to the last."""
    return [text.text or "" for text in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def section(name: str, language: str) -> str:
    """Return what a page says of a curve, from the heading before its picture to the next heading."""
    parts = re.split(r"^## ", PAGES[language].read_text("utf-8"), flags=re.MULTILINE)
    (found,) = [part for part in parts if f"/{picture(name, language)})" in part]
    return found


def test_every_curve_was_measured_and_says_where_and_when() -> None:
    assert list(KEPT) == list(CURVES)
    for name, figures in KEPT.items():
        assert figures["command"].endswith(f" {name}")
        assert set(figures) >= {"machine", "day", "load before and after"}
        grown = [point[CURVES[name].key] for point in figures["points"]]
        assert len(grown) >= 4
        assert grown == sorted(grown)


@pytest.mark.parametrize("name", CURVES)
def test_a_curve_names_what_measures_it(name: str) -> None:
    module, function = CURVES[name].measured_by
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    assert f"\ndef {function}() ->" in Path(spec.origin).read_text("utf-8")


@pytest.mark.parametrize(("name", "language"), [*((name, "en") for name in CURVES), ("length", "ja")])
def test_the_pictures_are_those_of_the_figures(name: str, language: str) -> None:
    curve = CURVES[name]
    fresh = words(drawn(curve, KEPT[name]["points"], language))
    assert fresh == words((IMAGES / picture(name, language)).read_text("utf-8"))
    lines = [line for panel in curve.panels for line in panel.lines if len(panel.lines) > 1]
    said = [curve.says, *(panel.says for panel in curve.panels), *(line.name for line in lines)]
    assert {each[language] for each in said} <= set(fresh)


@pytest.mark.parametrize("name", CURVES)
def test_a_picture_shows_the_same_points_in_both_languages(name: str) -> None:
    texts = [words((IMAGES / picture(name, language)).read_text("utf-8")) for language in PAGES]
    english, japanese = ([text for text in each if re.fullmatch(r"[\d.]+", text)] for each in texts)
    assert english == japanese != []
    for panel in CURVES[name].panels:
        assert panel.says["ja"] in texts[1]


def test_a_picture_has_colours_for_light_and_dark_pages() -> None:
    svg = (IMAGES / picture("fps", "en")).read_text("utf-8")
    dark = svg.partition("prefers-color-scheme:dark")[2].partition("</style>")[0]
    used = set(re.findall(r"var\(--(\w+),", svg))
    assert used >= {"ground", "ink", "line", "floor"}
    assert [name for name in used if f"--{name}:#" not in dark] == []


def test_the_pages_tell_how_far_the_same_film_differs_between_curves() -> None:
    same = [("fps", 30, 1e3 / 30), ("resolution", 0.9216, 1.0), ("cards", 36, 1.0)]  # to ms a picture
    costs = [
        point["judged"] * to_ms
        for name, at, to_ms in same
        for point in KEPT[name]["points"]
        if point[CURVES[name].key] == at
    ]
    assert len(costs) == 3
    least, most = f"{min(costs):.0f}", f"{max(costs):.0f}"
    assert f"takes {least} to {most} ms a picture" in PAGES["en"].read_text("utf-8")
    assert f"一コマ {least}~{most} ms" in PAGES["ja"].read_text("utf-8")


@pytest.mark.parametrize("language", PAGES)
@pytest.mark.parametrize("name", CURVES)
def test_the_pages_tell_the_numbers_of_their_pictures(name: str, language: str) -> None:
    text = section(name, language)
    shown = set(NUMBER.findall(" ".join(words((IMAGES / picture(name, language)).read_text("utf-8")))))
    told = set(NUMBER.findall(re.sub(r"!\[[^\]]*\]\([^)]*\)|`[^`]*`", "", text)))
    assert told
    assert told <= shown
