"""The inverse of the eye: facts in, pixels out, with exact truth."""
