"""`shinpan calibrate`: measure a camera's lens, field, rhythm, shutter and latency, and store the results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desk.errors import DeskError
from desk.log.json_lines import write_json
from desk.machine.output_file import add_json_output, add_output

if TYPE_CHECKING:
    from desk.machine.camera_bench import Results
    from vision.sources.source import Source

_TO_DO = {
    "lens": "hold the printed sheet before the camera: everywhere in the picture, straight and tilted",
    "shutter": "keep the view still under the lamps, or swing an upright ruler before the camera",
    "latency": "point the camera at this screen: it will flash",
}
_SECONDS = {"check": 2.0, "timing": 4.0, "lens": 60.0, "marks": 10.0, "shutter": 5.0, "latency": 14.0}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", nargs="?", metavar="SOURCE", help="a camera, an address, a video or pictures"
    )
    add_output(parser, "--print", type=Path, metavar="PDF", dest="board", help="write the sheet to print")
    parser.add_argument("--check", action="store_true", help="check the picture: light, focus, view, angle")
    parser.add_argument("--timing", action="store_true", help="measure frame interval, jitter, lost frames")
    parser.add_argument("--lens", action="store_true", help="measure the lens with the printed sheet")
    parser.add_argument(
        "--marks",
        nargs=2,
        type=float,
        metavar=("W_MM", "H_MM"),
        help="measure the field with four printed marks whose outer corners are this far apart",
    )
    parser.add_argument("--shutter", action="store_true", help="measure the rolling shutter's read-out time")
    parser.add_argument(
        "--latency",
        action="store_true",
        help="measure how late camera and loudspeaker are: the terminal flashes before the camera, chirps "
        "sound before the microphone",
    )
    parser.add_argument("--no-sound", action="store_true", help="with --latency: the camera alone")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="how long to look at the source, in seconds"
    )
    parser.add_argument("--list", action="store_true", help="show what has been measured so far")
    add_json_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the measurements; return 1 if one could not be made or a check fails, else 0."""
    if arguments.board is not None:
        from calibration.field.board_pdf import write_board

        write_board(arguments.board)
        write_json(arguments.json, {"sheet": str(arguments.board)})
        sys.stdout.write(f"{arguments.board}: print it at 100 % and check the line of 100 mm\n")
        return 0
    if arguments.list:
        return _list(arguments.json)
    if arguments.source is None:
        raise DeskError("name a SOURCE to measure, or use --print PDF or --list")
    if arguments.seconds is not None and arguments.seconds <= 0:
        raise DeskError("--seconds: expected more than 0, got {got:g}", got=arguments.seconds)
    return _measure(arguments)


def _list(json: Path | None) -> int:
    from desk.machine.camera_records import every_record
    from desk.machine.measurement_text import measured_lines

    records = every_record()
    if json is not None:
        write_json(json, records)
        return 0
    if not records:
        sys.stdout.write("nothing has been measured yet: shinpan calibrate SOURCE\n")
    for record in records:
        sys.stdout.write(f"{record['camera']}\n")
        for name, figures in record["measured"].items():
            for line in measured_lines(name, figures):
                sys.stdout.write(f"  {figures['date'][:10]}  {line}\n")
    return 0


def _measure(arguments: argparse.Namespace) -> int:
    from calibration.failure import FailedEstimation
    from calibration.finding import Finding, Status
    from desk.commands.doctor.command import describe
    from desk.machine import camera_bench as bench
    from desk.machine.camera_records import keep
    from desk.machine.measurement_text import measured_lines
    from desk.phone.camera import PhoneSource, open_bare

    told: dict[str, Any] = {}
    all_well = True
    for name, measure in _wanted(arguments):
        # open the camera anew for each measurement, so that it delivers no old pictures
        with open_bare(arguments.source) as source:
            if isinstance(source, PhoneSource):
                source.wait()
            results = bench.measured(measure, source)
            camera, keeps = source.name, source.is_live
        for part, figures in results.items():
            if isinstance(figures, list):
                findings: list[Finding] = figures
                all_well &= all(finding.status is not Status.FAIL for finding in findings)
                told[part] = [asdict(finding) for finding in findings]
                _say(arguments, *(describe(finding) for finding in findings))
            elif isinstance(figures, FailedEstimation):
                all_well = False
                told[part] = {"failed": figures.reason, "hint": figures.hint}
                _say(arguments, f"{part}: not measured: {figures.reason} -> {figures.hint}")
            else:
                told[part] = figures
                _say(arguments, *measured_lines(part, figures))
                if keeps or name in ("lens", "marks"):
                    keep(camera, part, figures)
    write_json(arguments.json, told)
    return 0 if all_well else 1


def _wanted(arguments: argparse.Namespace) -> Iterator[tuple[str, Callable[[Source], Results]]]:
    """Yield the measurements that were asked for; if none were, those of picture and rhythm."""
    from desk.machine import camera_bench as bench
    from desk.machine.camera_records import record_of

    if arguments.marks and min(arguments.marks) <= 0:
        raise DeskError("--marks are two distances in mm above 0")

    def marks(source: Source, seconds: float) -> Any:
        width_m, height_m = (side / 1e3 for side in arguments.marks)
        k1 = record_of(source.name).get("lens", {}).get("k1")
        return bench.measure_marks(source, seconds, (width_m, height_m), k1)

    measures: dict[str, Callable[[Source, float], Any]] = {
        "check": _check,
        "timing": bench.measure_rhythm,
        "lens": bench.measure_lens,
        "marks": marks,
        "shutter": bench.measure_readout,
        "latency": partial(_latency, with_sound=not arguments.no_sound),
    }
    for name in [name for name in measures if getattr(arguments, name)] or ["check", "timing"]:
        if name in _TO_DO:
            _say(arguments, _TO_DO[name])
        measure, seconds = measures[name], arguments.seconds or _SECONDS[name]
        yield name, partial(_named, name, measure, seconds)


def _named(name: str, measure: Callable[[Source, float], Any], seconds: float, source: Source) -> Results:
    found = measure(source, seconds)
    return found if name == "latency" else {name: found}


def _check(source: Source, seconds: float) -> list[Any]:
    from desk.machine.camera_bench import frames_for, tells_times
    from vision.match.camera_check import check_camera
    from vision.sources.live_source import LiveSource

    frames = list(frames_for(source, seconds))
    findings = check_camera(frames, source.format if isinstance(source, LiveSource) else None)
    if not frames or tells_times(frames, source):
        return findings
    return [finding for finding in findings if finding.name not in ("fps", "frames")]


def _latency(source: Source, seconds: float, *, with_sound: bool) -> Results:
    from calibration.clocks.latency import Offset, difference
    from calibration.failure import FailedEstimation
    from desk.log.clocks import match_clock
    from desk.machine.camera_bench import measure_flashes

    if not source.is_live:
        raise DeskError("--latency needs a live camera: a recorded video has no clock of this machine")
    camera = measure_flashes(source, flash_terminal, match_clock, seconds)
    results: Results = {"latency": asdict(camera) if isinstance(camera, Offset) else camera}
    if with_sound:
        from desk.machine.sound_device import keep_latency, latencies_path
        from recitation.playback.lasting_stream import NoSoundError
        from recitation.playback.loopback import measure_latency
        from recitation.playback.stream_clock import Latency

        try:
            device, sound = measure_latency()
        except NoSoundError as error:
            sound = FailedEstimation(str(error), "plug in a loudspeaker and a microphone, or use --no-sound")
        if isinstance(sound, Latency):
            keep_latency(latencies_path(), device, sound)
            results["sound"] = asdict(sound)
            if isinstance(camera, Offset):
                spread_ns = sound.unc_ns / 1.96
                heard = Offset(sound.latency_ns, sound.unc_ns / sound.heard**0.5, spread_ns, sound.heard)
                results["picture after sound"] = asdict(difference(camera, heard))
        else:
            results["sound"] = sound
    return results


def flash_terminal(bright: bool) -> None:
    """Switch the terminal to reverse video (DECSCNM of the VT100), the one screen that every machine has."""
    sys.stderr.write("\x1b[?5h" if bright else "\x1b[?5l")
    sys.stderr.flush()


def _say(arguments: argparse.Namespace, *lines: str) -> None:
    if arguments.json is None:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
