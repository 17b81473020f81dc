"""Films that were handed in: uploaded, judged in a process of their own, corrected, kept and passed on.

In: bytes of a film and what a person says of it. Out: rulings with replays, clips, a match, an archive.
Open `shelf` first; `job` is what the process does.
"""
