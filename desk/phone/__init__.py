"""A phone as a live camera, in its browser: certificate, door, line and clock.

In: pictures that a phone encodes, each with its instant. Out: a live source like any other. Open `station`
for what runs, `camera` for how a camera is opened by name; the phone's own page is in `desk/panel/phone/`.
"""
