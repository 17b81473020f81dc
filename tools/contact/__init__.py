"""Halls and hands: what the contact model learns from."""
