"""The board of a hall: all mats at a glance, one match in detail, and the tournament.

In: what the ports tell. Out: pages in two languages, their streams, and commands of the operator.
Open `app` first, then `floor_view` and `tournament_view`. It knows no server of the hall.
"""
