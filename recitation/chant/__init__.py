"""The built-in reader: chanted recitation synthesised from a small speech model. Needs the extra `voices`.

In: a phrase and a rhythm. Out: its sound and the instant of every mora. Open `score` first, then `singer`.
"""
