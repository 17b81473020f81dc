"""Koi-Koi: hanafuda for two to four players."""
