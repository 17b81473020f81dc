"""Draw everything: camera, lens, light, sensor, arms, floors.

In: places in the room. Out: pixels as a camera exposes them. Open `camera` first, then `sprites` and
`sensor`.
"""
