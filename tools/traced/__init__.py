"""Films of simulated poems drawn by a path tracer: the same hands, cards and instants, in bouncing light.

In: a match of `vision.simulator` and the seed of a hall. Out: pictures for `write_recording`. Open `film`.
`choreography` says where everything is, `shapes`, `floors` and `hall` how it looks, `webcam` what a camera
makes of the light, `stage` builds it; only `tracer` knows `bpy`, from the dependency group `traced`.
"""
