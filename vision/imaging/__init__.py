"""Numeric helpers that know nothing of cards.

In: arrays. Out: best assignments, correlations, dense optical flow, straight sides of outlines.
Every module stands alone; open the one whose name you need.
"""
