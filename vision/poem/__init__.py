"""One poem from its first sound to its facts, which are worked out once the hands have left.

In: frames, and the instant at which a poem began. Out: the facts of the poem (`Touch`, `Unprovable`, `Gap`).
Open `watcher` first, then `inquiry` and `closure`.
"""
