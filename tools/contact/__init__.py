"""Halls and hands: what the contact model learns from.

In: dice. Out: a style for the simulator. Open `styles` first.
"""
