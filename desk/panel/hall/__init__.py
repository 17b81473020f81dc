"""The board of a hall: all mats at a glance, one match in detail, and the tournament.

In: the data of the ports. Out: pages in two languages, their streams, and commands of the operator.
Open `app` first, then `floor_view` and `tournament_view`. It knows nothing of the hall's message server.
"""
