"""Koi-Koi at a table, filmed or live.

In: looks at the table and what players say. Out: events with flags, minutes, and data for the page.
Open `game` first (a game is read out of its log), then `desk`; the reading of looks is in `scribe`.
"""
