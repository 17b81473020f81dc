"""The board's part in a hall: the state of all mats, copies of their matches, and the pairings.

In: `MatState`, `EventBatch`, `ReadingState`. Out: the ports of `desk.panel.hall`, `Pairing`, and the
operator's commands. Open `floor` first, then `copies` and `schedule`.
"""
