"""The map of whose arm is where.

In: a frame and the field at rest. Out: for each pixel near hand, far hand or floor, tracked from frame to
frame. Open `player_map` first; `arm_crossing` and `limbs` separate arms that meet.
"""
