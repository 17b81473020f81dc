"""The eye at work for the desk, live or on a recording.

In: a table or a recording. Out: facts for a listener, or the JSON of `shinpan judge`.
Open `watcher` for live matches, `recorded_match` for recordings; `equipment` holds the second camera and the
microphone.
"""
