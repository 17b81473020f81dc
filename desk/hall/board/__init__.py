"""The board's part in a hall: how all mats stand, copies of their matches, and who plays where.

In: `MatState`, `EventBatch`, `ReadingState`. Out: the ports of `desk.panel.hall`, `Pairing`, and what the
operator wishes. Open `floor` first, then `copies` and `schedule`.
"""
