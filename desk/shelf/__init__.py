"""Films that people hand in: uploading, judging in a process of their own, correcting, storing, passing on.

In: the bytes of a film and a person's statements. Out: rulings with replays, clips, a match, an archive.
Open `shelf` first, then `film_process`.
"""
