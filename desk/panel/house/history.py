"""A match of the history as the list of matches shows it."""

from __future__ import annotations

from typing import Any

from desk.panel.house.port import MatchListed
from desk.panel.house.rules import rules_title
from desk.panel.match.sentence import outcome_text, side_names
from desk.panel.words import Words


def listed(match: MatchListed, said: Words) -> dict[str, Any]:
    """Return a match with the names of its sides (`called`), the rules' title and its `outcome`."""
    called = side_names(said, match["names"])
    over = match["over"]
    outcome = outcome_text(match["winner"], match["stopped"], called, said) if over else said("Not over")
    return {**match, "called": called, "outcome": outcome, "rules": rules_title(match["rules"], said)}
