"""Films of karuta: episodes as a camera, or two, would show them.

In: episodes. Out: frames, sound, and recordings in the exam's format. Open `match` first, then `renderer`.
"""
