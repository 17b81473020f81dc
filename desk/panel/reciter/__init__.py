"""The page of a reading: a remote control or a loudspeaker; open `routes`."""
