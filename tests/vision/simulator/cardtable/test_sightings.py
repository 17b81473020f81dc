"""What is seen of a simulated table where the script says when something can be seen."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from referee.cards.hanafuda import HANAFUDA
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.placed_card import PlacedCard
from vision.plane.zones import TableZones, zones_of
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.card_readers import PictureReader, ScriptReader
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi
from vision.simulator.cardtable.sightings import Sightings
from vision.table.watcher import CardGlimpsed, StripGlimpsed, TableSettled


@pytest.fixture(scope="module")
def played() -> KoiKoiFilm:
    """Three turns of a round of four."""
    return film_koikoi(drawn_deck(), seed=4, players=4, pace=0.6, longest=3)


def _zones(koikoi: KoiKoiFilm) -> TableZones:
    return zones_of(tomllib.loads(koikoi.zones.to_toml())["table"], "the table")


def _numbers(settled: TableSettled, name: str) -> set[int]:
    return {
        HANAFUDA[card.card_id].index
        for card in settled.cards
        if card.card_id is not None and card.zone is not None and card.zone.name == name
    }


def test_the_table_is_seen_at_rest_as_it_lies(played: KoiKoiFilm) -> None:
    reader = ScriptReader(played.film, played.zones.size_mm)
    seen = [fact for _, fact in Sightings(played.film, played.zones, _zones(played), reader).seen() if fact]
    settled = [fact for fact in seen if isinstance(fact, TableSettled)]
    for truth in played.filmed.rounds[0]["tables"]:
        at = [
            fact
            for fact in settled
            if truth["t0_ms"] - 150 <= fact.t_ns / 1e6 <= truth["t1_ms"] and not truth["pending"]
        ]
        for fact in at:
            assert _numbers(fact, "field") == set(truth["field"])
            assert _numbers(fact, "capture") == set().union(*truth["captures"])
    # the four wait with their hands off the table before each turn
    assert len(settled) >= 3
    assert settled[0].arms == frozenset()
    assert any(fact.arms == {"bottom"} for fact in settled)


def test_every_card_laid_is_glimpsed_or_lies_there_at_rest(played: KoiKoiFilm) -> None:
    reader = ScriptReader(played.film, played.zones.size_mm)
    told: dict[int, list[float]] = {}
    drawn: set[int] = set()
    for t_s, fact in Sightings(played.film, played.zones, _zones(played), reader).seen():
        if isinstance(fact, CardGlimpsed):
            number = HANAFUDA[fact.card_id].index
            told.setdefault(number, []).append(t_s)
            assert fact.rested_ns <= t_s * 1e9
            if fact.zone is not None and fact.zone.name == "turn":
                drawn.add(number)
        elif isinstance(fact, TableSettled):
            for card in fact.cards:
                if card.card_id is not None:
                    told.setdefault(HANAFUDA[card.card_id].index, []).append(t_s)
    events = played.filmed.rounds[0]["events"][1:]
    assert {event["card"] for event in events} <= told.keys()
    assert drawn <= {event["card"] for event in events if event["kind"] == "draw"}
    assert drawn


def test_cards_of_a_deal_stay_unread_where_they_lie_and_none_is_glimpsed(played: KoiKoiFilm) -> None:
    reader = ScriptReader(played.film, played.zones.size_mm, unread=1.0, missed=1.0)
    seen = [fact for _, fact in Sightings(played.film, played.zones, _zones(played), reader).seen() if fact]
    settled = [fact for fact in seen if isinstance(fact, TableSettled)]
    assert len(settled) == len(seen)
    dealt = set(played.rounds[0].dealt)
    assert [card.card_id for card in settled[0].cards] == [None] * len(dealt)
    for card in settled[0].cards:
        assert len(card.alike) in {1, 2}
    for fact in settled:
        assert not _numbers(fact, "field") & dealt


class Nameless(ScriptReader):
    """Can name no card at a glance."""

    def glimpse(self, t_s: float, card: int) -> PlacedCard | None:
        placed = super().glimpse(t_s, card)
        return None if placed is None else replace(placed, card=None)


def test_what_is_glimpsed_and_not_named_is_told_as_a_strip(played: KoiKoiFilm) -> None:
    zones = _zones(played)
    named, nameless = (
        [fact for _, fact in Sightings(played.film, played.zones, zones, reader).seen() if fact]
        for reader in (cls(played.film, played.zones.size_mm) for cls in (ScriptReader, Nameless))
    )
    assert not any(isinstance(fact, StripGlimpsed) for fact in named)
    assert not any(isinstance(fact, CardGlimpsed) for fact in nameless)
    told = [fact for fact in named if isinstance(fact, CardGlimpsed)]
    strips = [fact for fact in nameless if isinstance(fact, StripGlimpsed)]
    assert [(fact.t_ns, fact.zone) for fact in strips] == [(fact.t_ns, fact.zone) for fact in told]


def test_pictures_are_read_where_the_script_says_that_they_can_be(played: KoiKoiFilm) -> None:
    zones = _zones(played)
    reader = PictureReader(played.film, CardGallery.of(played.deck), zones)
    glimpsed = settled = None
    for _, fact in Sightings(played.film, played.zones, zones, reader).seen():
        if isinstance(fact, TableSettled):
            settled = settled or fact
        elif isinstance(fact, CardGlimpsed):
            glimpsed = fact
            break
    assert settled is not None
    assert _numbers(settled, "field") == set(played.rounds[0].dealt)
    assert glimpsed is not None
    events = played.filmed.rounds[0]["events"][1:]
    assert HANAFUDA[glimpsed.card_id].index in {event["card"] for event in events}
