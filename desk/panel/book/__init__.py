"""The pages of the club's book: all players, one player, and a pairing; open `routes`."""
