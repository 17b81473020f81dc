"""The web panel: shows the event log and sends the officials' commands back.

In: ports (plain data from the desk). Out: pages, event streams and checked commands. Open `app` first; each
page has a folder: `match`, `house`, `koikoi`, `kendo`, `reciter`, `enrolment`; `table` holds what card tables
share. Texts are English here and Japanese in `locale`.
"""
