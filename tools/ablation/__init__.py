"""What `ablate.py` works with: the rules of the eye, their switch, clips nobody tuned on, and the counts.

In: the table of the rules. Out: films, and what is counted in them. Open `rules` first.
"""
