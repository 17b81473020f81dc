"""Compiles the rooms to byte code as they are installed from a checkout, so that no start has to do it.

The first start would do it otherwise; where byte code is not written at run time (a folder that is read only,
`PYTHONDONTWRITEBYTECODE`) every start would: a quarter of what a start takes there.
"""

from __future__ import annotations

import compileall
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileRooms(BuildHookInterface):  # type: ignore[misc]
    """Runs when the packages are built; what is built for elsewhere is compiled there."""

    def initialize(self, version: str, _build_data: dict[str, Any]) -> None:
        """Compile where the packages are used from, quietly: whatever fails is compiled at its import."""
        if version == "editable":
            for room in self.build_config.packages:
                compileall.compile_dir(Path(self.root) / room, quiet=2)
