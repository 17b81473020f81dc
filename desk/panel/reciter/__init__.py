"""The page of a reading: remote control or loudspeaker; open `routes`."""
