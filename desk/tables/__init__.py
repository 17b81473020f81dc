"""The sources of pictures, and what all card tables share.

In: a camera, a recording or a script. Out: a `Table` (pictures at the pace of a clock), and the one writer of
a card game. Open `table` first, then `card_game`, `desk` and `live_game`.
"""
