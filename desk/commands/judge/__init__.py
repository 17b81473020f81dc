"""`shinpan judge`: films and recordings in, rulings out; open `command`."""
