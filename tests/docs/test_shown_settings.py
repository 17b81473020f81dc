"""The settings and house rules that pages show are those that the program takes."""

import re
from pathlib import Path

import pytest

from desk.karuta.house.settings import load_house_settings
from referee.karuta.house_rules import PRESETS
from referee.koikoi.house_rules import house_rules, preset

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = [
    (str(page.relative_to(DOCS)), block)
    for page in sorted(DOCS.rglob("*.md"))
    for block in re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
]
SETTINGS = [(page, block) for page, block in BLOCKS if "[policies]" in block]
HOUSES = [(page, block) for page, block in BLOCKS if block.startswith("base =")]
RULES = [(page, block) for page, block in HOUSES if "[yaku]" in block]
KARUTA = [(page, block) for page, block in HOUSES if "wrong_hand" in block]


@pytest.mark.parametrize(("place", "text"), SETTINGS, ids=[page for page, _ in SETTINGS])
def test_settings_are_taken(place: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shinpan.toml").write_text(text, "utf-8")
    monkeypatch.setenv("SHINPAN_CONFIG", str(tmp_path / "shinpan.toml"))
    assert load_house_settings().policies.fault in {"auto", "propose"}


@pytest.mark.parametrize(("place", "text"), RULES, ids=[page for page, _ in RULES])
def test_house_rules_are_taken_and_differ_from_their_base(place: str, text: str) -> None:
    house = house_rules(text)
    assert house.match.rounds == 6 != preset().match.rounds
    assert house.yaku.hanamizake.points == 0 != preset().yaku.hanamizake.points


@pytest.mark.parametrize(("place", "text"), KARUTA, ids=[page for page, _ in KARUTA])
def test_house_rules_of_karuta_are_taken_and_differ_from_their_base(place: str, text: str) -> None:
    house, base = PRESETS.house(text), PRESETS["kyogi"]
    assert (house.wrong_hand, house.both_hands) == ("void", "warn")
    assert house.measures.width_m != base.measures.width_m


def test_pages_show_settings_and_rules() -> None:
    assert len(SETTINGS) >= 3
    assert len(RULES) >= 2
    assert len(KARUTA) >= 2
