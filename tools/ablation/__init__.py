"""What `ablate.py` works with: the rules of the eye, their switch, clips nobody tuned on, and the counts."""
