"""The web panel: shows the event log and sends the officials' commands back.

In: ports (plain data from the desk). Out: pages, event streams and checked commands. Open `app` first; each
page has a folder, in which `port` says what goes in and `routes` what comes out; `table` holds what card
tables share, and `stream` the loops of all event streams. Texts are English here and Japanese in `locale`.
"""
