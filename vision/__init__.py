"""Pixels in, facts out: sources, cards and their identity, tracking, touches, evidence, the simulator."""
