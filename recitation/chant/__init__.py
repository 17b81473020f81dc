"""The built-in reader: chanted recitation synthesised from a small speech model. Needs the extra `voices`."""
