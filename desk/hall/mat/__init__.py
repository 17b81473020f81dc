"""A mat's part in a hall: its events go out in order, the reading comes in.

In: the logs of its matches, and the reader's cues. Out: `EventBatch` and `MatState`; sounds for the match,
through its `CueReader`. Open `station` first, then `sender`.
"""
