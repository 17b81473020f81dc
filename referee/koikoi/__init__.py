"""Koi-Koi: hanafuda for two to four players.

In: the events of a table (`events`), and the house rules. Out: rounds and matches as immutable values, yaku,
points, and a flag for everything that breaks a rule. Open `round` first, then `judge` and `yaku`.
"""
