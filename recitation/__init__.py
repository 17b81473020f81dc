"""Poems in, sound out: reading order, rhythm, voices, playback, listening to a human reader."""
