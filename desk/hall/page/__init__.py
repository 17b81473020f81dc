"""The board's pages: all mats at a glance, one match in detail, and the tournament.

In: the floor and the tournament. Out: pages in two languages, their streams, and commands of the operator.
Open `app` first, then `floor_view` and `tournament_view`.
"""
