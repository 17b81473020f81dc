"""The pages around the matches: set-up, history, and joining by phone; open `routes`."""
