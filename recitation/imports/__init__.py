"""Importing a club's own recordings: recognise, check, trim and level them, and make a voice."""
