"""Poems in, sound out: reading order, rhythm, voices, playback, listening to a human reader.

Packages, bottom first: `reading`, `sound`, `chant`, `voices`, `announcements`, then `playback` and
`listening`, then `imports`. A package imports only packages named before it. Open `playback.reciter` first.
"""
