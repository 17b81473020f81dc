"""Texts of the Kendo page for the bout, flags and refusals; English is the source of the catalogue."""

from collections.abc import Mapping
from typing import Any, Final

from desk.panel.phrases import Awaited
from desk.panel.table.names import FlagTexts
from desk.panel.words import N_, texts

_TEXTS = texts("desk.kendo.page")
STANDINGS: Final[Mapping[str, str]] = _TEXTS["standings"]
"""Texts by what stands against the player, see `referee.kendo.standing`."""

FLAGS: Final[Mapping[str, FlagTexts]] = {name: FlagTexts(*each) for name, each in _TEXTS["flags"].items()}
"""Texts by the id of a flag of `referee.kendo.minutes`."""

NOTES: Final[Mapping[str, str]] = _TEXTS["notes"]  # texts by the kind of an event, or by the declaration

REFUSALS: Final[Mapping[str, str]] = _TEXTS["refusals"]
WHEN: Final[Mapping[str, str]] = _TEXTS["when"]  # when a word that the rules do not allow now can be said
RULES: Final[Mapping[str, str]] = _TEXTS["rules"]  # titles of the presets


AWAITED: Final[Mapping[str, Awaited]] = {
    "unopened": Awaited(
        N_(
            "A brown card of each player is awaited: they are read as soon as no hand and no head is over "
            "the table and the cards lie still."
        ),
        N_("If a card is read wrongly: tap it, and say which one it is."),
    ),
    "card": Awaited(
        N_(
            "{player}'s card is awaited: it is read as soon as no hand and no head is over the table and "
            "the cards lie still."
        ),
        N_("If none is played: 'Does not answer'. If one is read wrongly: tap it."),
    ),
    "illegal": Awaited(
        N_("A play that is not allowed lies there and is to be taken back."),
        N_("'Let the play stand' accepts it."),
    ),
    "over": Awaited("", is_seen=False),
}


def awaited(bout: Mapping[str, Any]) -> str:
    if bout["winner"] is not None:
        return "over"
    if bout["may"]["accept"]:
        return "illegal"
    return "unopened" if bout["to_act"] is None else "card"
