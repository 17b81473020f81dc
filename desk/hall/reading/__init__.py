"""The hall's reading: whom the reader waits for, and what the mats are told of what sounds.

In: how the mats stand, people's wishes, and what a reader of `desk.karuta.readers` says. Out: cues and
`ReadingState`. Open `lectern` first, then `attendance`.
"""
