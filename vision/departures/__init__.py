"""Tell what became of each card: in place, moved, gone or hidden.

In: what the slots show, frame by frame. Out: a `Departure` with the pictures around the last moment in place,
and an ending for every card. Open `departure` first, then `outcome`.
"""
