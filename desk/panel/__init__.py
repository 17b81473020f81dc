"""The web panel: shows what the event log says and sends the officials' commands back.

In: a port (what a page asks of the desk, plain data). Out: pages, streams of news, and checked commands.
Open `app` first; each page has a folder: `match`, `house`, `koikoi`, `kendo`, `reciter`, `enrolment`, and
`table` for what card tables share. Texts are English here and Japanese in `locale`.
"""
