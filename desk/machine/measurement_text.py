"""The measurements of `shinpan calibrate` as sentences for people; `--json` gives the figures."""

from collections.abc import Callable, Mapping
from typing import Any

from calibration.clocks.timing import FALSE_FPS, FRAMES_LOST, LOST_SHARE

Figures = Mapping[str, Any]
_CLOCKS = {
    "driver": "timed by the driver's stamps",
    "sender": "timed by the stamps that come with them",
    "arrival": "timed by their arrival, for there are no stamps",
}
_SEEN_BY = {"flicker": "the lamps' flicker", "edge": "a swung edge"}


def measured_lines(name: str, figures: Figures) -> list[str]:
    """Describe a measurement in sentences: what was found and, on separate lines, what to do about it.

    `name`: name of the measurement as in `desk.machine.camera_records`, such as `timing`. `figures`: its
    figures; those of an earlier version may lack some.
    """
    try:
        first, *advice = _WORDS[name](figures)
    except KeyError:
        first, advice = "measured; --json shows its figures", []
    return [f"{name}: {first}", *(f"{' ' * len(name)}  -> {each}" for each in advice)]


def _timing(figures: Figures) -> list[str]:
    fps, claimed_fps, lost = figures["fps"], figures.get("claimed_fps") or 0.0, figures["lost"]
    rate = f"{fps:.1f} pictures a second"
    advice = []
    if figures.get("claim_is_false"):
        rate += f", not the {claimed_fps:.0f} that were promised"
        advice.append(FALSE_FPS)
    elif claimed_fps > 0:
        rate += ", as promised"
    beat = f"95 of 100 within {figures['jitter_95_ns'] / 1e6:.1f} ms of their beat"
    share = lost / (figures["frames"] + lost)
    if figures.get("clock") is None and lost:
        missing = f"{lost} were left out by whoever filmed; the others keep their own times"
    else:
        missing = f"{lost} lost" if lost else "none lost"
        advice += [FRAMES_LOST] if share > LOST_SHARE else []
    told = [rate, beat, missing]
    if figures.get("clock_problem"):
        told.append(f"timed by their arrival, because {figures['clock_problem']}")
    elif figures.get("clock"):
        told.append(_CLOCKS[figures["clock"]])
    return ["; ".join(told), *advice]


def _hall(figures: Figures) -> list[str]:
    told = [
        f"cards that nobody touched moved by up to {figures['floor_mm']:.2f} mm"
        if figures.get("floor_mm") is not None
        else "no trial told how far the floor moves cards"
    ]
    if figures.get("ripple_share") is not None:
        told.append(f"the lamps ripple by {100 * figures['ripple_share']:.0f} %")
    if figures.get("lag_ms"):
        told.append(f"motions show {figures['lag_ms']:.0f} ms late")
    return ["; ".join(told)]


def _sureness(figures: Figures) -> str:
    unc, spread = _ms(figures["unc_ns"]), _ms(figures["spread_ns"])
    return f"give or take {unc}; single ones vary by {spread}; of {figures['n']}"


def _ms(amount: float, unit: float = 1e6) -> str:
    return f"{amount / unit:.1f} ms"


_WORDS: dict[str, Callable[[Figures], list[str]]] = {
    "timing": _timing,
    "lens": lambda of: [
        f"{of['views']} views of the sheet fit to {of['rms_px']:.2f} px"
        f" ({of['rms_mm']:.2f} mm on the sheet); k1 {of['k1']:.3f}"
    ],
    "marks": lambda of: [f"the four marks fit to {of['residual_mm']:.2f} mm, k1 {of['k1']:.3f}"],
    "shutter": lambda of: [
        f"the last row is exposed {_ms(of['readout_s'], 1e-3)} after the first"
        f" (give or take {_ms(of['unc_s'], 1e-3)}), as {_SEEN_BY[of['seen_by']]} shows"
    ],
    "latency": lambda of: [
        f"a picture is timed {_ms(of['mean_ns'])} after what it shows ({_sureness(of)} flashes)"
    ],
    "sound": lambda of: [
        f"the loudspeaker sounds {_ms(of['latency_ns'])} after it was asked to"
        f" (95 of 100 within {_ms(of['unc_ns'])}), {of['heard']} of {of['played']} chirps heard"
    ],
    "picture after sound": lambda of: [
        f"pictures come {_ms(abs(of['mean_ns']))} {'after' if of['mean_ns'] >= 0 else 'before'} the sound"
        f" of the same instant ({_sureness(of)} chirps)"
    ],
    "hall": _hall,
}
