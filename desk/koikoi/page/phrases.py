"""Texts of the Koi-Koi page for flags, endings and refusals; English is the source of the catalogue."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from desk.panel.phrases import Awaited
from desk.panel.table.names import FlagTexts
from desk.panel.words import N_, texts
from referee.cards.hanafuda import Category

_TEXTS = texts("desk.koikoi.page")
FLAGS: Final[Mapping[str, FlagTexts]] = {name: FlagTexts(*each) for name, each in _TEXTS["flags"].items()}
"""Texts by the id of a flag of `referee.koikoi.flags`."""

PHASES: Final[Mapping[str, str]] = _TEXTS["phases"]
UNDEALT: Final[Mapping[str, str]] = _TEXTS["undealt"]  # why the referee still waits for the deal
ENDINGS: Final[Mapping[str, str]] = _TEXTS["endings"]
KINDS: Final[Mapping[Category, str]] = MappingProxyType(
    {
        Category.HIKARI: N_("Brights"),
        Category.TANE: N_("Animals"),
        Category.TAN: N_("Ribbons"),
        Category.KASU: N_("Chaff"),
    }
)
"""The four kinds of captured cards."""
STEPS: Final[Mapping[str, str]] = _TEXTS["steps"]  # kinds of steps in a round's story
FACTORS: Final[Mapping[str, str]] = _TEXTS["factors"]
"""Why the points are multiplied, by the words of `referee.koikoi.payout`."""
CALLS: Final = (N_("teshi"), N_("kuttsuki"))  # claims in the referee's sentences
REFUSALS: Final[Mapping[str, str]] = _TEXTS["refusals"]


_CARD: Final = Awaited(
    N_(
        "{player}'s card is awaited: it is read as soon as no hand and no head is over the table and "
        "the cards lie still."
    ),
    N_(
        "If it lies there and is not read: move the cards apart, and tap one that is read wrongly. "
        "'Next round' ends this round."
    ),
)
AWAITED: Final[Mapping[str, Awaited]] = {
    "waiting": Awaited(
        N_(
            "The deal is awaited: it is read as soon as no hand and no head is over the table and "
            "the cards lie still."
        ),
        N_("If a card is read wrongly: tap it, and say which one it is."),
    ),
    "unseen": Awaited(
        N_("The next card is awaited: it shows whose turn it is."),
        N_("If the round cannot be played on: 'Next round' ends it."),
    ),
    "hand_card": _CARD,
    "late_hand_card": _CARD,
    "draw": _CARD,
    "decision": Awaited(N_("{player}'s word is awaited."), N_("'Koi-Koi' or 'Stop' says it."), is_seen=False),
    "over": Awaited(
        N_("The next deal is awaited: gather all cards, then deal."),
        N_("'Next round' begins it before it is dealt."),
    ),
    "game_over": Awaited("", is_seen=False),
}


def awaited(game: Mapping[str, Any]) -> str:
    if game["over"]:
        return "game_over"
    return "decision" if game["deciding"] is not None else game["phase"]
