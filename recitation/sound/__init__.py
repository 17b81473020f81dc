"""Sound as arrays: clips, loudness, stretching, trimming, and the chime of last resort; open `clip`."""
