"""Announcements to the players while they memorise: short clips spoken by the built-in speech model.

In: an announcement that is due. Out: its sound. Open `clips` first.
"""
