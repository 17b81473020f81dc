"""Tournaments of karuta: elimination by class, Swiss, team matches of five, as events and immutable states.

In: entrants, draws, results, withdrawals. Out: reproducible pairings, standings, and for an event that is
refused a sentence that says what was expected. No clock and no dice: lots follow from a seed.
Open `tournament` (state and events), then `draw` and `standings`.
"""
