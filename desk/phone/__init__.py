"""A phone's browser as a live camera: certificate, station, line and clock.

In: pictures that a phone encodes, each with its instant. Out: a live source like any other. Open `station`
for the server, `camera` for opening a camera by name; the phone's own page is in `desk/panel/phone/`.
"""
