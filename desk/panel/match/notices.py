"""Texts of the referee's notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desk.panel.match.port import NoticeShown, SideName
from desk.panel.match.sentence import card_name
from desk.panel.phrases import HANDS, ROWS, phrase
from desk.panel.words import Words, texts

NOTICES: Mapping[str, str] = texts("desk.panel.match")["notices"]


_HAPPENED = frozenset(
    {
        "practice_swings",
        "touched_while_memorising",
        "swung_early",
        "greeting",
        "card_sent",
        "sent_without_right",
        "sent_card_stays",
        "hand_raised",
        "hand_raised_late",
        "rearranged",
        "right_lost",
        "right_kept",
        "right_waived",
        "hand_changed",
        "closing_bow",
        "poem_void",
        "poem_read_twice",
        "kimariji_shrunk",
        "confirmed_by_reading_on",
        "reverted",
        "no_poems_left",
    }
)
_MOST_NEWS = 4


def latest_news(notices: Sequence[NoticeShown]) -> list[NoticeShown]:
    """Return the latest notices of what happened; what is to be done is shown elsewhere."""
    return [notice for notice in notices if notice["id"] in _HAPPENED][-_MOST_NEWS:]


def notice_text(notice: NoticeShown, names: Mapping[SideName, str], words: Words) -> str:
    """Return a notice as text. `notice`: id and parameters; row 0 lies next to the middle line."""
    values: dict[str, Any] = dict(notice["params"])
    if values.get("side") in names:
        values["side"] = names[values["side"]]
    if "row" in values:
        values["row"] = words.plain(ROWS[values["row"]])
    if "cards" in values:
        values["cards"] = words(", ").join(card_name(card, words) for card in values["cards"])
    if "hand" in values:
        values["hand"] = words.plain(HANDS[values["hand"]])
    for name in ("card", "other"):
        if name in values:
            values[name] = card_name(values[name], words)
    return phrase(words, NOTICES, notice["id"], **values)
