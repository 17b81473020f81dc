"""The board's part in a hall: the state of all mats, copies of their matches, and the pairings.

In: `MatState`, `EventBatch`, `ReadingState`. Out: what the pages of `desk.hall.page` show, `Pairing`, and the
operator's commands. Open `floor` first, then `copies` and `schedule`.
"""
