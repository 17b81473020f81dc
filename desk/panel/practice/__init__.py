"""The page of a practice alone: the last time in large figures, a remote control, slow cards at the end."""
