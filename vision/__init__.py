"""Pixels in, facts out: the eye, and the simulator that is its inverse.

Packages, bottom first: a package imports only packages named before it.
`frames`, `imaging`, `recordings`, `sources`, `cards`, `torifuda`, `field`, `hands`, `departures`, `sightings`
and `hand_cues`, `launch`, `contact`, `poem`, `witnesses`, `match`; then for card tables and photos `plane`,
`hanafuda`, `photo`, `table`; and on top of all `simulator`. Start with `match.watcher`.
"""
