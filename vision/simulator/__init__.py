"""The inverse of the eye: facts in, pixels out, with exact truth.

In: a seed and a style. Out: frames of a match, its sound, and the truth of every poem.
Open `hall.match` for karuta, `cardtable.koikoi.table` for card tables. `play` decides what happens, `drawing`
and `art` how it looks. The simulator does not use the rules of `referee/`, so it cross-checks them.
"""

from vision.simulator.drawing.style import STYLES
from vision.simulator.hall.match import Pace, SimulatedMatch, single_poem
from vision.simulator.hall.recorder import write_recording
from vision.simulator.play.scenarios import SCENARIOS

__all__ = ["SCENARIOS", "STYLES", "Pace", "SimulatedMatch", "single_poem", "write_recording"]
