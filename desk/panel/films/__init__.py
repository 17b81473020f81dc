"""The film pages: upload a film, follow its judging, correct its readings and download the rulings.

In: the shelf of films (`port`). Out: pages, uploads in parts, and checked commands. Open `routes` first.
"""
