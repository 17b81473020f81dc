"""The pages around the matches: set-up, history and invitations of phones; open `routes`."""
