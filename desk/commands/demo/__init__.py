"""`shinpan demo`: simulated games refereed from their pixels; open `command`."""
