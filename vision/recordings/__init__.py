"""The recording format: a folder with a film and what was read aloud when.

In: a folder with `recording.toml`. Out: a `Recording`, or one clear line that says what is wrong with the
folder. Open `recording`.
"""
