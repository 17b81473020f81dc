"""The checks of `shinpan doctor` on cameras, sound devices, and their measurements."""

import importlib
import os
from pathlib import Path

from calibration.finding import Finding, Status, ok, warn
from desk.errors import DeskError
from desk.machine.camera_records import cameras, every_record
from desk.machine.sound_device import latencies_path, read_latencies
from desk.machine.system_packages import check_import, is_linux, way_to
from recitation.playback.lasting_stream import quiet_stderr
from referee.complaint import sentence_of
from referee.sentence import Sentence

MEASURE_S = 1.0
_CLOCKS = {"driver": Sentence("driver"), "sender": Sentence("sender"), "arrival": Sentence("arrival")}
_PATIENCE_S = 3.0
SLOW_OUTPUT_S = 0.1
"""With a longer promised latency a loudspeaker is heard noticeably late, although rulings allow for it."""
_NO_SOUND = Sentence("plug in a loudspeaker; without one the panel shows the poems, but nothing is heard")


def check_portaudio() -> Finding:
    with quiet_stderr():
        finding = check_import("sounddevice", way_to("libportaudio2"))
        if finding.status is not Status.OK:
            advice = Sentence(
                "{advice}; without it the panel shows the poems but nothing is heard", advice=finding.advice
            )
            return warn(finding.found, advice)
        version = importlib.import_module("sounddevice").get_portaudio_version()[1]
    return ok(version)


def check_sound_devices() -> Finding:
    try:
        with quiet_stderr():
            devices = list(importlib.import_module("sounddevice").query_devices())
    except OSError as error:
        return warn(sentence_of(error), _NO_SOUND)
    outputs = [device["name"] for device in devices if device["max_output_channels"] > 0]
    inputs = [device["name"] for device in devices if device["max_input_channels"] > 0]
    found = Sentence("{outputs} for output, {inputs} for input", outputs=len(outputs), inputs=len(inputs))
    if not outputs:
        return warn(found, _NO_SOUND)
    if not inputs:
        advice = Sentence("plug in a microphone if a human is to read the poems")
        return warn(found, advice)
    return ok(Sentence("{number}: {names}", number=found, names=", ".join(sorted({*outputs, *inputs}))))


def check_sound_latency() -> Finding:
    try:
        with quiet_stderr():
            sounddevice = importlib.import_module("sounddevice")
            devices, usual = sounddevice.query_devices(), sounddevice.default.device[1]
    except OSError as error:
        return warn(sentence_of(error), _NO_SOUND)
    if not 0 <= usual < len(devices):
        return warn(Sentence("no loudspeaker"), _NO_SOUND)
    device = devices[usual]
    promised_s = float(device["default_low_output_latency"])
    found = Sentence("{device}: {ms:.0f} ms promised", device=device["name"], ms=1e3 * promised_s)
    measured = read_latencies(latencies_path()).get(device["name"])
    if measured is None:
        advice = Sentence("measure it once with a microphone beside it: shinpan recite --calibrate")
        return warn(Sentence("{found}, never measured", found=found), advice)
    found = Sentence(
        "{found}, {ms:.0f} +- {unc:.1f} ms later than that measured",
        found=found,
        ms=measured.latency_ns / 1e6,
        unc=measured.unc_ns / 1e6,
    )
    if promised_s > SLOW_OUTPUT_S:
        return warn(found, Sentence("use a wired loudspeaker rather than a wireless one"))
    return ok(found)


def check_cameras() -> Finding:
    if not is_linux():
        found = Sentence("not listed on this system; a camera is opened by its number: 0, 1, ...")
        return ok(found)
    devices = cameras()
    if not devices:
        advice = Sentence("plug in a camera, or judge recordings and simulated matches")
        return warn(Sentence("none"), advice)
    closed = [device for device in devices if not os.access(device, os.R_OK | os.W_OK)]
    if closed:
        advice = Sentence("let this user open it: sudo usermod -aG video $USER, then log in again")
        return warn(Sentence("no permission to open {devices}", devices=", ".join(closed)), advice)
    return ok(", ".join(map(_named, devices)))


def check_camera_pictures() -> Finding:
    """Open every camera for a second and measure what it delivers."""
    sources = [device for device in cameras() if os.access(device, os.R_OK | os.W_OK)]
    if not sources:
        if not is_linux():  # there, opening a camera asks the user for permission
            return ok(Sentence("measured where it is named: shinpan doctor --camera 0"))
        advice = Sentence(
            "plug in a camera; one in the network is measured by shinpan doctor --camera ADDRESS"
        )
        return warn(Sentence("no camera to measure"), advice)
    # a webcam has further devices without pictures, so the best finding counts
    findings = [check_source(source) for source in sources]
    return min(findings, key=lambda finding: list(Status).index(finding.status))


def check_source(where: str) -> Finding:
    """Measure for a second what a source delivers, named as for `open_source`."""
    from calibration.clocks.timing import check_timing, measure_timing
    from desk.machine.camera_bench import frames_for
    from vision.match.camera_check import check_exposure
    from vision.sources.live_source import LiveSource
    from vision.sources.source import SourceError
    from vision.sources.source_address import open_source

    try:
        with open_source(where, give_up_s=_PATIENCE_S) as source:
            frames = list(frames_for(source, MEASURE_S))
            live = source if isinstance(source, LiveSource) else None
    except (SourceError, DeskError) as error:
        return warn(sentence_of(error), Sentence("correct what this says, or use another camera"))
    if not frames:
        return warn(Sentence("{where}: no picture", where=where), Sentence("check the camera's cable"))
    height, width = frames[-1].gray.shape
    kind = Sentence("JPEG") if frames[-1].jpeg is not None else Sentence("decoded")
    checks = check_timing(
        measure_timing([frame.t_ns for frame in frames]), live.format.fps if live is not None else 0.0
    )
    size = Sentence("{where}: {width} x {height} {kind}", where=where, width=width, height=height, kind=kind)
    parts = [size, *(check.found for check in checks)]
    if live is not None:
        clock = Sentence(
            "times by {clock} +- {ms} ms",
            clock=_CLOCKS[live.stamper.used.value],
            ms=f"{frames[-1].t_unc_ns / 1e6:.1f}",
        )
        exposure = check_exposure(live.format.exposure_s)
        parts += [live.format.backend, Sentence("exposure {time}", time=exposure.found), clock]
        if exposure.status is Status.FAIL:
            checks.append(exposure)
        if live.stamper.problem is not None:
            parts.append(live.stamper.problem)
    worst = max(checks, key=lambda check: list(Status).index(check.status))
    # a slow camera does not fail the machine: recordings and simulated matches still work
    status = Status.WARN if worst.status is Status.FAIL else worst.status
    first, *others = map(Sentence, parts)
    for other in others:
        first = Sentence("{first}, {other}", first=first, other=other)
    return Finding("", status, first, worst.advice)


def check_measurements() -> Finding:
    found = [f"{record['camera']} ({', '.join(record['measured'])})" for record in every_record()]
    if not found:
        advice = Sentence(
            "not needed for karuta; for exact times: shinpan calibrate SOURCE --latency --shutter"
        )
        return warn(Sentence("none"), advice)
    return ok(", ".join(found))


def _named(device: str) -> str:
    label = Path("/sys/class/video4linux") / Path(device).name / "name"
    return f"{device} ({label.read_text('utf-8').strip()})" if label.is_file() else device
