"""Judge filmed Koi-Koi tables and compare with their truth: moves, points, faults, and what it costs.

`python -m benchmarks.tables.koikoi_table [FOLDER ...] [--simulated N] [--seed S] [--deck FOLDER ...] [--json
OUT]`: every recording in the folders (default: ../shared/practice_koikoi), then N simulated rounds, lawful
and with every family of faults, for 2, 3 and 4 players, with the given decks in turn. Chaff of one month
counts as one card.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from operator import eq
from pathlib import Path
from typing import Any

from benchmarks.command import read_options, write_json
from desk.koikoi.card_game import KOIKOI
from referee.cards.hanafuda import by_index

PRACTICE = Path("../shared/practice_koikoi")
DECKS = Path("../shared/data/hanafuda_decks")
FLAG_OF = {"extra_taken": ("extra_card_taken", "wrong_month")}
"""Flags that answer a practice fault, whose truth names only the family."""
_LOOKS = ("wood", "cloth", "tatami", "holdout")
_FIRST_SEED = 7_000


def compared(folder: Path) -> dict[str, Any]:
    """Judge one recording and say what is right."""
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    judged = KOIKOI.judge(folder)
    rounds = truth.get("rounds", [truth])
    wanted = [_move(event) for each in rounds for event in each["events"] if event["kind"] != "deal"]
    seen = [_move(event) for event in judged["events"] if event["kind"] in {"play", "draw"}]
    flags = [flag for played in judged["rounds"] for flag in played["flags"]]
    fault = rounds[-1]["fault"]
    return {
        "recording": folder.name,
        "moves": len(wanted),
        "moves_right": sum(map(eq, wanted, seen)) if len(wanted) == len(seen) else 0,
        "points_right": all(map(_ends_alike, rounds, judged["rounds"])),
        "fault": None if fault is None else fault["family"],
        "fault_flagged": None if fault is None else any(_answers(flag, fault) for flag in flags),
        "flags": [flag["id"] for flag in flags],
        "cpu_s_per_video_s": judged["stats"]["cpu_s_per_video_s"],
    }


def _move(event: Mapping[str, Any]) -> tuple[object, ...]:
    return event["kind"], event["player"], _kind(event["card"]), sorted(map(_kind, event["taken"]))


def _kind(card: int) -> tuple[int, str]:
    face = by_index(card)
    return face.month, face.category.value


def _ends_alike(truth: Mapping[str, Any], played: Mapping[str, Any]) -> bool:
    final = truth["final"]
    return final is None or all(
        played[key] == final[key] for key in ("end", "winner", "points", "calls", "yaku")
    )


def _answers(flag: Mapping[str, Any], fault: Mapping[str, Any]) -> bool:
    first, last = fault["window_ms"]
    wanted = fault.get("flags") or FLAG_OF.get(fault["family"], ())
    return first <= flag["t_ms"] <= last and (not wanted or flag["id"] in wanted)


def _simulated(count: int, first_seed: int, decks: Sequence[Path], folder: Path) -> Iterator[Path]:
    from calibration.decks.enrolment import FailedEnrolment, enrol_folder
    from vision.simulator.cardtable.koikoi.game import FAMILIES
    from vision.simulator.cardtable.recording import film_koikoi, write_koikoi_recording

    faults = cycle([None, *FAMILIES])
    kinds = zip(faults, cycle(decks), cycle(_LOOKS), strict=False)
    for number, (fault, source, look) in enumerate(islice(kinds, count)):
        deck = enrol_folder(source, "hanafuda", source.name)
        if isinstance(deck, FailedEnrolment):
            raise SystemExit(f"{source}: {'; '.join(deck.problems)}")
        seed, players = first_seed + number, 2 + number % 3
        film = film_koikoi(deck, seed=seed, players=players, fault=fault, look=look)
        name = f"{seed}-{players}-{source.name}-{look}-{fault or 'lawful'}"
        yield write_koikoi_recording(film, folder / name, "mjpeg")


def main() -> int:
    """Judge, print a line for each recording and a summary; 0 when all of it is right."""
    arguments = read_options(__doc__, PRACTICE, simulated=0, seed=_FIRST_SEED, deck=[Path])
    results = []
    with tempfile.TemporaryDirectory() as folder:
        decks = arguments.deck or sorted(path for path in DECKS.glob("*") if path.is_dir())
        simulated = _simulated(arguments.simulated, arguments.seed, decks, Path(folder))
        rounds = [each for one in arguments.folders for each in sorted(one.glob("round-*")) or [one]]
        for recording in (*rounds, *simulated):
            results.append(compared(recording))
            sys.stdout.write(f"{_line(results[-1])}\n")
            sys.stdout.flush()
    right = [result for result in results if _is_right(result)]
    dearest = max((result["cpu_s_per_video_s"] for result in results), default=0)
    sys.stdout.write(f"{len(right)} of {len(results)} right; at most {dearest:.2f} CPU s per video s\n")
    write_json(arguments.json, results)
    return 0 if len(right) == len(results) else 1


def _is_right(result: Mapping[str, Any]) -> bool:
    if result["fault"] is not None:
        return bool(result["fault_flagged"])
    return result["moves_right"] == result["moves"] and result["points_right"] and not result["flags"]


def _line(result: Mapping[str, Any]) -> str:
    fault = "lawful" if result["fault"] is None else f"{result['fault']} flagged: {result['fault_flagged']}"
    points = "points right" if result["points_right"] else "POINTS WRONG"
    return (
        f"{result['recording']}: {result['moves_right']} of {result['moves']} moves, {points}, {fault}, "
        f"flags {result['flags']}, {result['cpu_s_per_video_s']:.2f} CPU s/s"
    )


if __name__ == "__main__":
    sys.exit(main())
