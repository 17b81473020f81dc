"""Commands that read poems aloud: a reading, a practice alone, and sets of cards."""
