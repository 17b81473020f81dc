"""The home page and the set-up of what is played beside karuta; open `routes`, then `port`."""
