"""What comes from the hall's queue is checked before files are named by it."""

import gzip
import json

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.errors import DeskError
from desk.hall.archive import Order, Outcome, unpacked

KEY = "0" * 64


def packed(name: object, key: object) -> bytes:
    order = {"name": name, "key": key, "program": "program", "rules": None, "deck": None}
    return gzip.compress(json.dumps({"order": order, "result": "", "problem": "too dark"}).encode(), mtime=0)


def test_an_outcome_comes_as_it_was_sent() -> None:
    assert unpacked(packed("a", KEY)) == Outcome(Order("a", KEY, "program"), problem="too dark")


@pytest.mark.parametrize(("name", "key"), [("a", "../outside"), ("a", f"{KEY}\n"), ("a", 5), (5, KEY)])
def test_an_odd_outcome_is_refused(name: object, key: object) -> None:
    with pytest.raises(DeskError, match="cannot be read"):
        unpacked(packed(name, key))


def test_a_damaged_outcome_is_refused() -> None:
    whole = packed("a", KEY)
    with pytest.raises(DeskError, match="cannot be read"):
        unpacked(whole[:10] + bytes(len(whole) - 10))


def test_an_outcome_that_unpacks_to_more_than_memory_is_refused() -> None:
    bomb = gzip.compress(b'{"result": "' + bytes(65 << 20) + b'"}')
    assert len(bomb) < 1 << 20
    with pytest.raises(DeskError, match="at most 64 MiB"):
        unpacked(bomb)
