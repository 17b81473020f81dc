"""Cards on single pictures: names, places, layouts and markers."""
