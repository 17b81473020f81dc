"""The built-in reader: chanted recitation, made from a small speech model. Needs the extra `voices`."""
