"""The pages of the club's book: its players, one player, and a pairing; open `routes`."""
