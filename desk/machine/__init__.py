"""What this machine has and keeps: folders, ports, cameras, sound devices, decks.

In: what a user asks for. Out: files below the data folder, free ports, measured cameras, enrolled decks.
Open `config` first.
"""
