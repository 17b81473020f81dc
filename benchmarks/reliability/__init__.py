"""How often rulings are right, by how sure they are. `python -m benchmarks.reliability` runs it."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tools"))  # the halls of `tools/contact` taught the eye, too
