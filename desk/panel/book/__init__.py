"""The pages of the club's book: all players, one player, and a pairing.

In: the figures of `port`. Out: pages with charts, a sheet to print, CSV and JSON. Open `routes` first.
"""
