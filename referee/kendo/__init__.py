"""Kendo Taikai playing cards: bouts of two players, and the bracket of a tournament.

In: the events of a bout (`events`), and a ruleset. Out: the bout as an immutable value, with its minutes.
Open `rows` (the table of plays) first, then `judge` and `minutes`.
"""
