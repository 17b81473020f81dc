"""The hall's reading: which mats the reader waits for, and the cues for the mats.

In: the states of the mats, people's commands, and the sounds of a reader of `desk.karuta.readers`. Out: cues
and `ReadingState`. Open `reader_control` first, then `cues`.
"""
