"""Whether a desk holds out for a whole day."""
