"""The page that makes a phone a camera, and its messages; open `routes`."""
