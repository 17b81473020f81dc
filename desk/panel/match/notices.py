"""Texts of the referee's notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desk.panel.match.port import NoticeShown, SideName
from desk.panel.match.sentence import card_name
from desk.panel.phrases import HANDS, ROWS, phrase
from desk.panel.words import N_, Words

NOTICES: Mapping[str, str] = {
    "card_count": N_("{side} has {count} cards, not {expected}"),
    "card_double": N_("Card {card} lies on the field twice"),
    "card_unread": N_("{side}: {count} cards cannot be read; see that they lie flat and uncovered"),
    "too_wide": N_("{side}'s territory is {width_mm} mm wide, allowed are {allowed_mm} mm"),
    "not_aligned": N_("The side lines do not meet: {width_mm} mm in all, allowed are {allowed_mm} mm"),
    "row_empty": N_("{side} has no card in the {row}"),
    "row_gap": N_("{side}: {gap_mm} mm outside the {row}, expected {expected_mm} mm"),
    "territory_gap": N_("{gap_mm} mm between the territories, expected {expected_mm} mm"),
    "across_rows": N_("{side}'s card {card} lies across its row"),
    "crooked": N_("{side}'s card {card} lies aslant"),
    "wrong_facing": N_("{side}'s card {card} does not face its owner"),
    "overlapping": N_("{side}'s cards {card} and {other} lie on each other"),
    "practice_swings": N_("{minutes} minutes left: practice swings are allowed"),
    "touched_while_memorising": N_("{side} touched card {card} while memorising"),
    "swung_early": N_("{side} swung before practice swings are allowed; no fault"),
    "greeting": N_("Yoroshiku onegai shimasu: the match begins"),
    "owes_cards": N_("{side} still has to send: {count}"),
    "card_displaced": N_("{side}'s card {card} is not where it was"),
    "card_missing": N_("{side}'s card {card} is missing"),
    "taken_card_on_field": N_("Card {card} was taken and has to leave the field"),
    "foreign_card": N_("Card {card} does not belong on the field"),
    "field_not_seen": N_(
        "The field has not been seen at rest since: keep hands and heads away from it for a moment"
    ),
    "card_sent": N_("{side} sent card {card}"),
    "sent_or_swept": N_(
        "{side}'s card {card} was swept out and lies as if sent: take it home, or lay it anew to send it"
    ),
    "sent_without_right": N_("{side} sent without a right, {count} to hand back: {cards}"),
    "sent_card_stays": N_("{side} has sent card {card}: it cannot be changed"),
    "hand_raised": N_("{side} has a hand raised: the reader waits"),
    "hand_raised_late": N_("{side} raised a hand after the shimo had begun; no fault"),
    "rearranged": N_("{side} moved card {card} after announcing it"),
    "right_lost": N_("{side} did not send before the next poem: right lost for {count}"),
    "right_kept": N_("{side} may still send: {count}"),
    "right_waived": N_("{side} lets the right go to send: {count}"),
    "hand_changed": N_("{side} now takes with the {hand} hand and took with the other one before"),
    "closing_bow": N_("Arigatou gozaimashita: the players bow to each other, to the reader and to the judge"),
    "poem_void": N_("The reading was void: the poem is read again"),
    "poem_read_twice": N_("Poem {poem} had been read before"),
    "kimariji_shrunk": N_("Poem {poem} is now decided by 「{now}」, before by 「{before}」"),
    "confirmed_by_reading_on": N_("The ruling on poem {poem} stands: the next poem was read"),
    "reverted": N_("The match was set back to before the decision that was taken back"),
    "no_poems_left": N_("All hundred poems are read"),
}


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
    """Return a notice as text.

    `notice`: id and parameters; row 0 lies next to the middle line.
    """
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
