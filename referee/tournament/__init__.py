"""Tournaments of karuta: elimination by class, Swiss, team matches of five, as events and immutable states.

In: entrants, draws, results, withdrawals. Out: pairings that everybody can draw again, standings, and for
what cannot be a sentence that says what was expected. No clock and no dice: lots follow a seed.
Open `tournament` (state and events), then `draw` and `standings`.
"""
