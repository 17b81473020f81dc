"""Draw the curves as SVG that can be read on light and on dark pages."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.growth.curves import Curve, Panel

SIZE_IN: Final = (8.0, 3.2)
_COLOURS: Final = {
    "ground": ("#ffffff", "#1e2129"),
    "ink": ("#20242b", "#e6e8eb"),
    "grid": ("#dcdfe4", "#3a3f4b"),
    "line": ("#1f6f9f", "#6cb8e6"),
    "other": ("#a8501f", "#f0a070"),
    "floor": ("#6b7280", "#a5acb8"),
}
"""Each name's colour on light and on dark pages; every one is drawn in its light colour first."""
_LIGHT: Final = {name: light for name, (light, _) in _COLOURS.items()}
_SETTINGS: Final = {
    "svg.fonttype": "none",  # text stays text: it can be searched, and the reader's fonts have every script
    "svg.hashsalt": "growth",  # the same figures give the same file
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _LIGHT["ink"],
    "axes.labelcolor": _LIGHT["ink"],
    "axes.edgecolor": _LIGHT["ink"],
    "xtick.color": _LIGHT["ink"],
    "ytick.color": _LIGHT["ink"],
    "grid.color": _LIGHT["grid"],
}


def drawn(curve: Curve, points: Sequence[Mapping[str, float]], language: str) -> str:
    """Return a curve as SVG, with its words in a language (`en`, `ja`).

    Raises KeyError where a point lacks one of the curve's values.
    """
    with mpl.rc_context(_SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=SIZE_IN, facecolor=_LIGHT["ground"])
        for place, panel in enumerate(curve.panels, start=1):
            axes = figure.add_subplot(1, len(curve.panels), place)
            _draw(axes, panel, curve.key, points, language)
            axes.set_xlabel(curve.says[language])
        figure.subplots_adjust(left=0.08, right=0.985, bottom=0.17, top=0.9, wspace=0.22)
        with io.StringIO() as file, warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font")  # the reader's fonts have them
            figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
            return _for_both_grounds(file.getvalue())


def _draw(axes: Axes, panel: Panel, key: str, points: Sequence[Mapping[str, float]], language: str) -> None:
    xs = [point[key] for point in points]
    most = max(point[line.key] for point in points for line in panel.lines)
    for number, line in enumerate(panel.lines):
        ys = [point[line.key] for point in points]
        colour = _LIGHT["floor" if line.is_floor else ("line", "other")[number]]
        style = "--" if line.is_floor else "-"
        axes.plot(xs, ys, style, color=colour, marker="o", markersize=4, label=line.name[language])
        for x, y in zip(xs, ys, strict=True):
            if not line.is_floor or x == xs[-1]:
                axes.annotate(
                    f"{y:.3g}",
                    (x, y),
                    (0, 7),
                    textcoords="offset points",
                    ha="center",
                    color=colour,
                    size=8,
                    bbox={"facecolor": _LIGHT["ground"], "edgecolor": "none", "pad": 0.6},
                )
    axes.set_xlim(-xs[-1] * 0.06, xs[-1] * 1.08)
    axes.set_ylim(0, most * 1.35)
    axes.set_title(panel.says[language], fontsize=10, loc="left")
    axes.set_facecolor(_LIGHT["ground"])
    axes.grid(visible=True, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if len(panel.lines) > 1:
        axes.legend(frameon=False, loc="upper left", fontsize=9, ncols=2)


def _for_both_grounds(svg: str) -> str:
    """Let a picture follow the reader's choice of light or dark, where the viewer knows it."""
    for name, (light, _) in _COLOURS.items():
        svg = svg.replace(light, f"var(--{name}, {light})")
    light, dark = (";".join(f"--{name}:{both[dark]}" for name, both in _COLOURS.items()) for dark in (0, 1))
    style = f"<style>:root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    head, defs, rest = svg.partition(" <defs>")
    return f"{head} {style}\n{defs}{rest}"
