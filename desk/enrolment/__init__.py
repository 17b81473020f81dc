"""Enrolling a deck: from photos, or pile by pile before a camera.

In: pictures of cards. Out: a deck, or everything that is wrong with the pictures.
Open `session` first.
"""
