"""A table is read when it has come to rest, with the sides from which arms have reached in since."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted_hanafuda import PLANE, frame, painted_deck, painted_table, put
from vision.frames.frame import Frame
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.peeling import Peeler
from vision.match.endurance import SkippedLooks
from vision.plane.table_plane import corners_of
from vision.plane.zones import TableZones, Zone, zones_of
from vision.table.watcher import (
    CardGlimpsed,
    StripGlimpsed,
    TableFact,
    TableSettled,
    TableUnseen,
    TableWatcher,
)

DECK = painted_deck()
ZONES = zones_of(
    {
        "size": [800, 560],
        "field": [150, 180, 560, 380],
        "turn": [600, 290, 650, 370],
        "capture": [[100, 420, 700, 550], [100, 10, 700, 140]],
    },
    "table",
)
FIELD: list[tuple[Any, Any]] = [
    (DECK.pictures["01-1"], (200, 250, 0.1)),
    (DECK.pictures["05-2"], (300, 250, 0.0)),
]
TURNED = (DECK.pictures["11-1"], (625, 330, 0.0))
PLAYED = (DECK.pictures["01-3"], (206, 262, 0.2))
TABLE = painted_table()


def with_arm(picture: Any, reach_px: int, x: int = 520) -> Any:
    """An arm from the upper edge of the picture."""
    picture = picture.copy()
    cv2.line(picture, (x, -40), (x, reach_px), (120, 160, 210), 70)
    return picture


def frames(*pictures: tuple[Any, int]) -> Iterator[Frame]:
    """Pictures, each so many times, 15 a second."""
    index = 0
    for picture, count in pictures:
        for _ in range(count):
            yield frame(picture, index * 1000 / 15, index)
            index += 1


def watched(*pictures: tuple[Any, int], zones: TableZones = ZONES, at: str = "turn") -> list[TableFact]:
    watcher = TableWatcher(CardGallery.of(DECK), zones, glimpse_at=(at,))
    return [fact for one in frames(*pictures) for fact in watcher.feed(one)]


def lying(settled: TableFact) -> set[tuple[str | None, str | None]]:
    assert isinstance(settled, TableSettled)
    return {(card.card_id, card.zone.name if card.zone else None) for card in settled.cards}


def test_a_card_is_played_and_another_glimpsed_where_it_is_turned_up() -> None:
    before = put(TABLE, FIELD)
    after = put(TABLE, [*FIELD, PLAYED, TURNED])
    coming = [(with_arm(before, reach), 1) for reach in (100, 250, 350)]
    going = [(with_arm(after, 180, x), 1) for x in range(520, 420, -12)]
    first, glimpsed, second = watched((before, 8), *coming, *going, (after, 8))
    assert lying(first) == {("01-1", "field"), ("05-2", "field")}
    assert isinstance(glimpsed, CardGlimpsed)
    assert (glimpsed.card_id, glimpsed.zone and glimpsed.zone.name) == ("11-1", "turn")
    assert lying(second) == {*lying(first), ("01-3", "field"), ("11-1", "turn")}
    assert isinstance(second, TableSettled)
    assert second.arms == {"top"}
    assert second.t_ns > glimpsed.rested_ns


def test_a_card_that_lay_before_the_arm_went_to_the_stock_is_told_from_one_that_came_after() -> None:
    zones = replace(ZONES, zones=(*ZONES.zones, Zone("stock", 0, (600, 180, 650, 250))))
    before = put(TABLE, FIELD)
    after = put(TABLE, [*FIELD, PLAYED])
    to_card = [(with_arm(before, reach, 420), 1) for reach in (100, 250, 330)]
    to_stock = [(with_arm(after, 290, x), 1) for x in range(480, 920, 40)]
    facts = watched((before, 8), *to_card, *to_stock, (after, 8), zones=zones, at="field")
    _, early, settled = facts
    assert isinstance(early, CardGlimpsed)
    assert "stock" not in early.visited
    assert isinstance(settled, TableSettled)
    assert settled.visited["stock"] > early.rested_ns
    straight = [(with_arm(after, reach, 420), 1) for reach in (330, 100)]
    via_stock = [(with_arm(before, 290, x), 1) for x in range(920, 400, -40)]
    _, late, _ = watched((before, 8), *via_stock, *straight, (after, 8), zones=zones, at="field")
    assert isinstance(late, CardGlimpsed)
    assert "stock" in late.visited


def test_a_strip_that_does_not_tell_its_card_is_told_by_what_it_is_like() -> None:
    pictures = dict(DECK.pictures)
    blended = cv2.addWeighted(pictures["08-3"], 0.75, pictures["05-2"], 0.25, 0)
    pictures["05-2"] = np.asarray(blended, np.uint8)
    before = put(TABLE, [FIELD[0]])
    pile = (pictures["08-3"], (300.0, 480.0, 0.0)), (pictures["11-1"], (311.0, 480.0, 0.05))
    after = put(TABLE, [FIELD[0], *pile])
    coming = [(with_arm(before, reach), 1) for reach in (100, 250, 350)]
    going = [(with_arm(after, 180, x), 1) for x in range(520, 420, -12)]
    gallery = CardGallery.of(replace(DECK, pictures=pictures))
    watcher = TableWatcher(gallery, ZONES, glimpse_at=("capture",))
    facts = [fact for one in frames((before, 8), *coming, *going) for fact in watcher.feed(one)]
    above = [fact for fact in facts if isinstance(fact, CardGlimpsed)]
    strips = [fact for fact in facts if isinstance(fact, StripGlimpsed)]
    assert {fact.card_id for fact in above} == {"11-1"}
    assert {fact.zone and (fact.zone.name, fact.zone.number) for fact in strips} == {("capture", 0)}
    assert max(strips[0].alike, key=lambda card: strips[0].alike[card]) == "08-3"


def test_a_camera_that_is_knocked_finds_its_table_again() -> None:
    before = put(TABLE, FIELD)
    shift = np.array([[1, 0, 14], [0, 1, -9]], np.float64)
    moved = cv2.warpAffine(before, shift, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    first, unseen, second = watched((before, 8), (moved, 20))
    assert isinstance(unseen, TableUnseen), "what was played while it was knocked is not judged"
    assert lying(first) == lying(second)
    assert isinstance(first, TableSettled)
    assert isinstance(second, TableSettled)
    where = [sorted((card.x_mm, card.y_mm) for card in one.cards) for one in (first, second)]
    assert np.abs(np.array(where[0]) - np.array(where[1])).max() < 2


def test_a_table_without_markers_lies_where_its_corners_were_drawn() -> None:
    cloth = np.clip(np.random.default_rng(1).normal((120, 80, 50), 6, (720, 1280, 3)), 0, 255)
    table = cv2.GaussianBlur(cloth.astype(np.uint8), (0, 0), 1.5)
    corners = tuple(corners_of(PLANE, (1280, 720)))
    watcher = TableWatcher(CardGallery.of(DECK), replace(ZONES, corners=corners))
    (settled,) = [fact for one in frames((put(table, FIELD), 8)) for fact in watcher.feed(one)]
    assert lying(settled) == {("01-1", "field"), ("05-2", "field")}
    assert isinstance(settled, TableSettled)
    where = sorted((card.x_mm, card.y_mm) for card in settled.cards)
    assert np.abs(np.array(where) - [(200, 250), (300, 250)]).max() < 2
    assert watcher.plane is not None
    np.testing.assert_allclose(corners_of(watcher.plane, (640, 360)), np.array(corners) * 2, atol=1e-6)


class Failing:
    """Stands for the peeler, which fails as often as it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failures: int) -> None:
        self._peel, self.left = Peeler.peel, failures
        monkeypatch.setattr(Peeler, "peel", lambda *given, **more: self.peel(*given, **more))  # noqa: PLW0108 (a method would not get the peeler)

    def peel(self, *given: Any, **more: Any) -> Any:
        self.left -= 1
        if self.left >= 0:
            raise IndexError("a sliver")
        return self._peel(*given, **more)


def looks_after(failures: int, rests: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Read a table, then fail so often at what has been played, which rests for so many pictures."""
    watcher, looks = TableWatcher(CardGallery.of(DECK), ZONES), SkippedLooks()
    before, after = put(TABLE, FIELD), put(TABLE, [*FIELD, PLAYED])
    arms = [(with_arm(before, 250), 2), (with_arm(after, 180), 2)]
    told, seen = frames((before, 8), *arms, (after, rests), (with_arm(after, 150), 2), (after, 8)), []
    for number, one in enumerate(told):
        if number == 8:
            Failing(monkeypatch, failures)
        seen += looks.tried(partial(watcher.feed, one), one.t_ns)
    assert len(looks.failures) == failures
    return [lying(fact) for fact in seen if isinstance(fact, TableSettled)]


def test_what_was_played_when_a_look_failed_is_seen_at_the_next_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = looks_after(1, 10, monkeypatch)
    assert second == {*first, ("01-3", "field")}


def lit(picture: Any, share: Any) -> Any:
    return (picture * share).astype(np.uint8)


def test_what_is_played_in_light_that_flickers_is_not_judged() -> None:
    before, after = put(TABLE, FIELD), put(TABLE, [*FIELD, PLAYED, TURNED])
    flicker = [(lit(picture, share), 1) for picture in [before] * 4 + [after] * 4 for share in (1.0, 0.6)]
    facts = watched((before, 24), *flicker, (after, 26))
    first, begun, ended, second = facts
    assert isinstance(begun, TableUnseen)
    assert isinstance(ended, TableUnseen)
    assert begun.t_to_ns == ended.t_from_ns, "the beginning is told as it happens"
    assert begun.t_from_ns == 1_600_000_000
    assert ended.t_to_ns > 2_600_000_000, "the last picture that flickered"
    assert isinstance(second, TableSettled)
    assert second.t_ns >= ended.t_to_ns, "a rest that began in the flicker was not seen"
    assert lying(second) == lying(first) | {("01-3", "field"), ("11-1", "turn")}
    assert not second.arms, "what the light does at the picture's rim is no arm"


def test_a_picture_that_is_blurred_is_not_read_though_the_table_rests() -> None:
    before, after = put(TABLE, FIELD), put(TABLE, [*FIELD, PLAYED])
    blurred = cv2.GaussianBlur(after, (0, 0), 4.0)
    drawn = replace(ZONES, corners=tuple(corners_of(PLANE, (1280, 720))))
    first, *unseen, second = watched((before, 8), (blurred, 10), (after, 8), zones=drawn)
    assert isinstance(second, TableSettled)
    assert isinstance(unseen[-1], TableUnseen)
    assert (unseen[-1].t_from_ns // 10**6, unseen[-1].t_to_ns) == (866, second.t_ns)
    assert lying(second) == lying(first) | {("01-3", "field")}
