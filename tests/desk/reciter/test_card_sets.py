"""Named sets of cards and the last order, as a user keeps them."""

import argparse
from pathlib import Path

import pytest

import desk.commands.reading.sets
from desk.errors import DeskError
from desk.reciter.card_sets import read_sets, sets_path
from desk.reciter.last_reading import keep_order, last_order


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def sets(*words: str) -> int:
    parser = argparse.ArgumentParser()
    desk.commands.reading.sets.add_arguments(parser)
    return desk.commands.reading.sets.run(parser.parse_args(words))


def test_sets_are_kept_under_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert read_sets(sets_path()) == {}
    assert sets("save", "weak", "17,20-22") == 0
    assert sets("save", "tonight", "weak,む") == 0
    assert read_sets(sets_path()) == {
        "weak": frozenset({17, 20, 21, 22}),
        "tonight": frozenset({17, 20, 21, 22, 87}),
    }
    sets("list")
    assert capsys.readouterr().out == "tonight: 5 cards\nweak: 4 cards\n"
    sets("delete", "weak")
    assert list(read_sets(sets_path())) == ["tonight"]


def test_sets_travel_as_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    sets("save", "青", "blue")
    sets("save", "weak", "17")
    sets("export", "青")
    url = capsys.readouterr().out.strip()
    assert url.startswith("wasuramoti://fudaset/")
    before = read_sets(sets_path())["青"]
    sets("delete", "青")
    sets("import", url)
    assert capsys.readouterr().out == "青: 20 cards\n"
    assert read_sets(sets_path()) == {"青": before, "weak": frozenset({17})}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("save", "a,b", "17"), "without commas"),
        (("save", "weak", "101"), "expected numbers"),
        (("delete", "none"), "the sets are: none yet"),
        (("export", "none"), "the sets are: none yet"),
        (("import", "https://example.org"), "expected an address"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_kept(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(DeskError, match=told):
        sets(*words)
    assert not sets_path().exists()


def test_a_damaged_file_is_named() -> None:
    sets_path().parent.mkdir(parents=True)
    sets_path().write_text("[]")
    with pytest.raises(DeskError, match="does not hold card sets"):
        sets("list")


def test_the_last_order_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "last.json"
    with pytest.raises(DeskError, match="nothing has been read"):
        last_order(path)
    keep_order(path, (17, 4, 99))
    assert last_order(path) == (17, 4, 99)
    path.write_text("{}")
    with pytest.raises(DeskError, match="does not hold an order"):
        last_order(path)
