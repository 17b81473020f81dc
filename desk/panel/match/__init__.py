"""The page of a match, its record and its replays; open `routes`, then `view`."""
