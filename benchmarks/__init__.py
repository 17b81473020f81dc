"""Accuracy and speed, one command each."""
