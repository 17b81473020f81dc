"""Named sets of cards and the last order, as a user keeps them."""

import argparse
from pathlib import Path

import pytest

import desk.commands.reading.sets
from desk.reciter.card_sets import keep_order, last_order, read_sets, sets_path
from recitation.reading.card_set import url_of_sets
from referee.sentence import SentenceError


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def sets(*words: str) -> int:
    parser = argparse.ArgumentParser()
    desk.commands.reading.sets.add_arguments(parser)
    return desk.commands.reading.sets.run(parser.parse_args(words))


def test_sets_are_kept_under_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert read_sets(sets_path()) == {}
    sets("list")
    assert capsys.readouterr().out == "no set yet: save one with shinpan sets save NAME CARDS\n"
    assert sets("save", "weak", "17,20-22") == 0
    assert capsys.readouterr().out == f"saved weak (4 cards) in {sets_path()}\n"
    assert sets("save", "weak", "17,20-22") == 0
    assert capsys.readouterr().out == f"saved weak (4 cards) in {sets_path()}\n", "the same cards once more"
    assert sets("save", "tonight", "weak,む") == 0
    assert read_sets(sets_path()) == {
        "weak": frozenset({17, 20, 21, 22}),
        "tonight": frozenset({17, 20, 21, 22, 87}),
    }
    capsys.readouterr()
    sets("list")
    assert capsys.readouterr().out == "tonight: 5 cards\nweak: 4 cards\n"
    sets("delete", "weak")
    assert capsys.readouterr().out == "deleted weak\n"
    assert list(read_sets(sets_path())) == ["tonight"]


def test_sets_travel_as_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    sets("save", "青", "blue")
    sets("save", "weak", "17")
    before = read_sets(sets_path())
    capsys.readouterr()
    sets("export", "青")
    url = capsys.readouterr().out.strip()
    assert url.startswith("wasuramoti://fudaset/")
    sets("delete", "青")
    sets("import", url)
    assert capsys.readouterr().out.endswith("青: 20 cards\n")
    assert read_sets(sets_path()) == before


def test_a_set_is_replaced_only_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    sets("save", "a", "1-20")
    theirs = url_of_sets("t", {"a": range(30, 40), "b": range(1, 4)})
    for words in (("save", "a", "50-60"), ("import", theirs)):
        with pytest.raises(SentenceError, match=r"there is a set 'a' of other cards already: .* --replace"):
            sets(*words)
        assert read_sets(sets_path()) == {"a": frozenset(range(1, 21))}
    sets("save", "a", "1-20")  # the same cards replace nothing
    sets("import", theirs, "--replace")
    assert {name: len(own) for name, own in read_sets(sets_path()).items()} == {"a": 10, "b": 3}
    sets("save", "a", "50-60", "--replace")
    assert len(read_sets(sets_path())["a"]) == 11


def test_names_with_spaces_and_commas_are_taken_from_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["大山札 1", "大山札　1", "a, b", "", "x" * 50, "大山札_1"]
    sets("import", url_of_sets("t", {name: [place] for place, name in enumerate(names, 1)}))
    kept = read_sets(sets_path())
    assert sorted(kept) == sorted(["大山札_1", "大山札_1_2", "a_b", "_", "x" * 40, "大山札_1_3"])
    assert "the set '大山札 1' is called 大山札_1 here" in capsys.readouterr().err
    for name in kept:
        sets("save", f"again{len(read_sets(sets_path()))}", name)  # each can be named on a command line


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
    with pytest.raises(SentenceError, match=told):
        sets(*words)
    assert not sets_path().exists()


def test_a_damaged_file_is_named() -> None:
    sets_path().parent.mkdir(parents=True, exist_ok=True)
    sets_path().write_text("[]")
    with pytest.raises(SentenceError, match="does not hold card sets"):
        sets("list")


def test_the_last_order_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "last.json"
    with pytest.raises(SentenceError, match="nothing has been read"):
        last_order(path)
    keep_order(path, (17, 4, 99))
    assert last_order(path) == (17, 4, 99)
    path.write_text("{}")
    with pytest.raises(SentenceError, match="does not hold an order"):
        last_order(path)
