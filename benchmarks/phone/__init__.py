"""A phone as camera, over networks that are as bad as those of a hall."""
