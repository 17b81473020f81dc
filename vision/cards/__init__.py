"""A rectangular card in a picture: paper, printed border, outline, pose.

In: a gray picture. Out: outlines of cards, shape (N, 4, 2), to a fraction of a pixel, with phantoms left out.
Open `rectangle_finder` first, then `paper_edges` and `border`.
"""
