"""The map of whose arm is where.

In: a frame and the field at rest. Out: for each pixel near hand, far hand or floor, kept from frame to frame.
Open `player_map` first; `arm_crossing` and `limbs` part arms that meet.
"""
