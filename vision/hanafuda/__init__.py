"""Hanafuda and other enrolled cards on a table: find them, fit them, peel them, name them.

In: a picture, the table's plane, and a deck's pictures. Out: cards with name, pose and visible share. Open
`peeling` first (cards over one another), then `gallery` and `pose_fit`.
"""
