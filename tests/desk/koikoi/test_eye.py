"""The reports of the eye over a Koi-Koi table survive the log."""

import pytest

from desk.koikoi.events import StripSeenBriefly, seen_by
from desk.koikoi.scribe.look import CardSeenBriefly
from vision.plane.zones import TableZones, Zone
from vision.table.watcher import CardGlimpsed, StripGlimpsed

FIELD = Zone("field", 0, (150, 180, 560, 380))
PILE = Zone("capture", 0, (100, 420, 700, 550))
ZONES = TableZones((800, 560), (FIELD, PILE))


@pytest.mark.parametrize(("zone", "over"), [(FIELD, 0), (PILE, None)])
def test_a_card_is_laid_on_its_match_in_the_middle_and_not_in_a_pile(zone: Zone, over: int | None) -> None:
    fact = CardGlimpsed(2_000_000, "01-2", zone, 1_000_000, frozenset(), "01-1")
    assert seen_by(fact, ZONES, 2) == CardSeenBriefly(1.0, 1, at_stock=False, over=over, on_pile=zone is PILE)


def test_strips_are_told_in_piles_only() -> None:
    alike = {"01-1": -0.2, "01-2": 0.9}
    assert seen_by(StripGlimpsed(2_000_000, PILE, alike), ZONES, 2) == StripSeenBriefly(2.0, 0, {1: 0.9})
    assert seen_by(StripGlimpsed(2_000_000, FIELD, alike), ZONES, 2) is None
    assert seen_by(StripGlimpsed(2_000_000, None, alike), ZONES, 2) is None
