"""The page that makes a phone a camera, and what it sends; open `routes`."""
