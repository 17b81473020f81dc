"""Pairs, another card game, refereed from pictures of a painted table."""

import pytest
from pairs_table import Pairs, referee

from tests.vision.painted_card_table import frame, painted_table, put
from tests.vision.painted_hanafuda import painted_deck
from vision.plane.zones import Zone
from vision.table.watcher import TableCard, TableSettled, TableUnseen

NEAR, FAR = (Zone("capture", number, (100, top, 700, top + 130)) for number, top in enumerate((420, 10)))
FIELD = Zone("field", 0, (100, 150, 700, 410))
S = 1_000_000_000


def at_rest(t_s: int, **where: str) -> TableSettled:
    """A table with cards such as `m01_1` in the field, or at given places."""
    zones = {"field": FIELD, "near": NEAR, "far": FAR}
    cards = [
        TableCard(name[1:].replace("_", "-"), zones[zone], 0, 0, 0, 1, 1, 0) for name, zone in where.items()
    ]
    return TableSettled(t_s * S, tuple(cards), frozenset())


CARDS = dict.fromkeys(("m01_1", "m01_4", "m08_1", "m08_2", "m03_1", "m04_1"), "field")


def told(*facts: TableSettled | TableUnseen) -> list[str]:
    game = Pairs()
    return [line for fact in facts for line in game.see(fact)]


def test_pairs_count_and_what_is_against_the_rules_is_said() -> None:
    pair = CARDS | {"m01_1": "near", "m01_4": "near"}
    lines = told(
        at_rest(1, **CARDS),
        at_rest(2, **CARDS | {"m01_1": "near"}),
        at_rest(3, **pair),
        at_rest(4, **pair | {"m03_1": "near", "m04_1": "near"}),
        at_rest(5, **pair),
        at_rest(6, **pair | {"m03_1": "far", "m04_1": "far"}),
    )
    assert [line.partition(":")[0] for line in lines] == ["3.0 s", "4.0 s", "5.0 s", "6.0 s"]
    assert lines[0].endswith(": 21 points")
    assert lines[1].endswith("but it is far's turn")
    assert "has put back" in lines[2]
    assert lines[3].endswith("not two cards of one month")


def test_after_a_part_that_nobody_saw_nobody_is_accused() -> None:
    first = CARDS | {"m01_1": "near", "m01_4": "near"}
    second = first | {"m08_1": "near", "m08_2": "near"}
    lines = told(at_rest(1, **CARDS), at_rest(2, **first), TableUnseen(3 * S, 4 * S), at_rest(5, **second))
    assert "was not seen" in lines[1]
    assert lines[2].endswith(": 51 points")


@pytest.fixture(scope="module")
def film() -> list[str]:
    deck, table = painted_deck(), painted_table()
    places = {"01-1": (200, 250), "01-3": (300, 250), "05-2": (400, 250)}
    before = put(table, [(deck.pictures[card], (*at, 0.0)) for card, at in places.items()])
    taken = places | {"01-1": (200, 480), "01-3": (260, 480)}
    after = put(table, [(deck.pictures[card], (*at, 0.0)) for card, at in taken.items()])
    pictures = [*[before] * 8, *[after] * 8]
    frames = [frame(picture, index * 1000 / 15, index) for index, picture in enumerate(pictures)]
    return list(referee(frames, deck))


def test_a_pair_is_seen_on_the_table(film: list[str]) -> None:
    (line,) = film
    assert "near takes" in line
    assert line.endswith(": 21 points")
