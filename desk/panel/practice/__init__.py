"""The page of a practice alone: the latest time in large figures, a remote control, slow cards at the end."""
