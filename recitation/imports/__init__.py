"""Importing a club's own recordings: recognise, check, trim and level them, and make a voice.

In: a folder of sound files. Out: a voice pack, or a report of what prevents it. Open `importer` first.
"""
