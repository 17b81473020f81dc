"""The cards of the games: a hundred poems with their torifuda, 48 hanafuda, and the Kendo cards.

In: numbers or names of cards. Out: their texts, months and kimariji, as constants and plain functions.
Open `poems` first, then `kimariji`.
"""
