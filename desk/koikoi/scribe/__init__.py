"""Looks and words in, events and flags out: the scribe of a Koi-Koi round.

In: a `Look` (the table at rest, as sets of cards). Out: who put down and took what, and what was wrong.
Open `scribe` first, then `turn` and `readings`; `belief` and `unread_deal` handle unreadable cards.
"""
