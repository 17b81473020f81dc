"""What the pages of all card tables share: routes, the stream, replays, drawing a table, links for seats.

In: a running game. Out: its page's data and checked commands. Open `routes` first.
"""
