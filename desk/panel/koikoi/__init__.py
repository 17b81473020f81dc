"""The page of a game of Koi-Koi; open `routes`, then `view`."""
