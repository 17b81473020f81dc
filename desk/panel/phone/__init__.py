"""The page that makes a phone a camera, and its messages.

In: a phone's pictures and clock readings. Out: what the desk still misses in them. Open `routes` first.
"""
