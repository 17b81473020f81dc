"""The home page, and the set-up of everything but karuta matches; open `routes`, then `port`."""
