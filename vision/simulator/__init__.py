"""The inverse of the eye: facts in, pixels out, with exact truth."""

from vision.simulator.clip import single_poem
from vision.simulator.match import Pace, PoemStart, SimulatedMatch
from vision.simulator.recorder import write_recording
from vision.simulator.scenarios import SCENARIOS
from vision.simulator.style import STYLES

__all__ = ["SCENARIOS", "STYLES", "Pace", "PoemStart", "SimulatedMatch", "single_poem", "write_recording"]
