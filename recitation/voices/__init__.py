"""The built-in and imported voices, and the packs that hold them.

In: the name of a voice, and a rhythm. Out: the sound of each phrase; something is always heard.
Open `catalogue` first, then `pack`.
"""
