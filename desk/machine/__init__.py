"""What belongs to this machine: folders, ports, cameras, sound devices, decks.

In: requests of a user. Out: files below the data folder, free ports, measured cameras, enrolled decks.
Open `config` first.
"""
