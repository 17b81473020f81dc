"""A captured card that nobody had read was named wrongly: what was written down of it is put right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from desk.koikoi.scribe.notes import Noted
from referee.koikoi.events import Deal, Draw, Event, Play
from referee.koikoi.match import Match, step


def judged_anew(
    undealt: Match, notes: Sequence[Noted], names: Mapping[int, int]
) -> tuple[list[Noted], Match]:
    """Return the notes with cards of the latest round under other names, and the match that they make.

    Parameters
    ----------
    undealt : the match before that round was dealt.
    notes : all of the match, with the round's deal among them.
    names : number as noted to number in truth.
    """
    deal = max(number for number, noted in enumerate(notes) if isinstance(noted.event, Deal))
    latest = [replace(noted, event=_renamed(noted.event, names)) for noted in notes[deal:]]
    match = undealt
    for noted in latest:
        match = step(match, noted.event)
    return [*notes[:deal], *latest], match


def _renamed(event: Event, names: Mapping[int, int]) -> Event:
    if isinstance(event, Play | Draw):
        taken = tuple(sorted(names.get(card, card) for card in event.taken))
        return replace(event, card=names.get(event.card, event.card), taken=taken)
    return event
