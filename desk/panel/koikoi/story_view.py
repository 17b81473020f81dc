"""The story of a round in one language."""

from __future__ import annotations

from typing import Any

from desk.panel.koikoi.phrases import FLAGS, STEPS
from desk.panel.koikoi.port import FlagShown, StepShown, StoryShown
from desk.panel.koikoi.view import called_yaku, card_names, ending_text, groups, move_text, sum_text
from desk.panel.phrases import phrase
from desk.panel.table.names import by_names
from desk.panel.words import Words


def story_view(story: StoryShown, names: list[str], said: Words) -> dict[str, Any]:
    """Return a round with all texts of its page.

    Parameters
    ----------
    story : the round.
    names : names of the seats.
    said : the language.
    """
    return {
        "number": story["number"],
        "dealer": names[story["dealer"]],
        "ending": ending_text(story, names, said),
        "formula": sum_text(story["formula"], said),
        "names": names,
        "flagged": sum(bool(step["flags"]) for step in story["steps"]),
        "steps": [_step(step, names, said) for step in story["steps"]],
    }


def _step(step: StepShown, names: list[str], said: Words) -> dict[str, Any]:
    seat, card = step["player"], step["card"]
    player = "" if seat is None else names[seat]
    if card is None:
        text = phrase(said, STEPS, step["said"] or step["kind"], player=player)
    else:
        text = move_text(step["kind"], player, card, step["taken"], said)
    return {
        "text": text,
        "cards": [] if card is None else [card, *step["taken"]],
        "reached": [called_yaku(name, said) for name in step["reached"]],
        "flags": [flag_view(flag, names, said) for flag in step["flags"]],
        "field": step["field"],
        "stock": step["stock"],
        "evidence": step["evidence"],
        "piles": [groups(pile, said) for pile in step["piles"]],
    }


def flag_view(flag: FlagShown, names: list[str], said: Words) -> dict[str, str]:
    """Return a flag with its explanation, the remedy, and the referee's note."""
    told = FLAGS[flag["id"]]
    return {
        "what": said(told.what),
        "mend": said(told.mend),
        "text": by_names(flag["text"], names, said, card_names(said.language)),
    }
