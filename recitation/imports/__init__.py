"""A club's own recordings: recognised, checked, trimmed, levelled, and made a voice."""
