"""Records what the commands answer and compares two such records: code that only moves changes no answer.

`python tools/record_behaviour.py record OUT` runs `judge` on every recording below `../shared`, `identify` on
its photos and on the first picture of each film of a card table, `koikoi play` and `kendo play` on events,
and `recite --render`. Each answer becomes a text file in OUT. What a run cost is left out.

`python tools/record_behaviour.py compare OLD NEW` names the first difference and fails, or says how many
answers are the same.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from referee.cards.kendo import Brown, Green

ROOT: Final = Path(__file__).resolve().parents[1]
SHARED: Final = ROOT.parent / "shared"
COSTS: Final = frozenset({"wall_s", "cpu_s", "times_real_time", "cpu_s_per_video_s"})
"""Keys of a JSON answer that say what the run cost."""
_LINES: Final = 200  # random events of one game: enough for each kind of flag

Job = Callable[[Path], str]  # given an empty folder to work in, returns the text of an answer


def main(arguments: list[str] | None = None) -> int:
    """Record or compare; 1 where two records differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    record_parser = actions.add_parser("record", help="run the commands and keep their answers")
    record_parser.add_argument("out", type=Path, help="folder for the answers")
    record_parser.add_argument("--shared", type=Path, default=SHARED, help="folder of the recordings")
    record_parser.add_argument("--only", default="", help="record only what begins like that")
    record_parser.add_argument("--jobs", type=int, default=1, help="how many commands run at once")
    compare_parser = actions.add_parser("compare", help="compare two records byte for byte")
    compare_parser.add_argument("old", type=Path)
    compare_parser.add_argument("new", type=Path)
    options = parser.parse_args(arguments)
    if options.action == "record":
        return record(options.out, options.shared, options.only, options.jobs)
    difference, count = first_difference(options.old, options.new)
    print(difference or f"{count} answers are the same")
    return 0 if difference is None else 1


def record(out: Path, shared: Path, only: str, jobs: int) -> int:
    """Write the answer of each job to a file of its name below `out`; 1 where there is nothing to record."""
    chosen = [(name, job) for name, job in all_jobs(shared) if name.startswith(only)]
    if not chosen:
        print(f"nothing to record below {shared} that begins with {only!r}")
        return 1

    def one(named: tuple[str, Job]) -> str:
        name, job = named
        with tempfile.TemporaryDirectory() as folder:
            text = job(Path(folder))
        path = out / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return name

    with ThreadPoolExecutor(jobs) as pool:
        for name in pool.map(one, chosen):
            print(name, flush=True)
    return 0


def all_jobs(shared: Path) -> Iterator[tuple[str, Job]]:
    """Yield everything that is recorded, each under the name of its file."""
    for file in sorted(shared.rglob("recording.toml")):
        folder = file.parent
        yield f"judge/{folder.relative_to(shared)}", partial(_json_of, "judge", folder)
        described = tomllib.loads(file.read_text("utf-8"))
        if deck := described.get("deck", {}).get("enrol"):
            job = partial(_first_picture, folder / described["video"], folder / deck)
            yield f"identify/{folder.relative_to(shared)}", job
    for photo in sorted((shared / "data" / "torifuda_photos").glob("*.jpg")):
        yield f"identify/{photo.stem}", partial(_json_of, "identify", photo)
    for file in sorted(shared.glob("practice_koikoi/*/truth.json")):
        truth = json.loads(file.read_text("utf-8"))
        if truth.get("events"):
            yield f"koikoi/{file.parent.name}", partial(_play, "koikoi", koikoi_lines(truth))
    for seed in range(3):
        yield f"koikoi/random-{seed}", partial(_play, "koikoi", random_koikoi(seed))
        yield f"kendo/random-{seed}", partial(_play, "kendo", random_kendo(seed))
    for voice in ("high", "low"):
        yield f"recite/{voice}", partial(_cues, voice)


def first_difference(old: Path, new: Path) -> tuple[str | None, int]:
    """Compare two records; return the first difference, or None, and how many answers OLD has."""
    names = [{str(file.relative_to(place)) for file in place.rglob("*.txt")} for place in (old, new)]
    for name in sorted(names[0] | names[1]):
        for place, held in zip((old, new), names, strict=True):
            if name not in held:
                return f"{name}: not in {place}", len(names[0])
        texts = [(place / name).read_text("utf-8").splitlines(keepends=True) for place in (old, new)]
        for number, (before, after) in enumerate(zip_longest(*texts, fillvalue=""), 1):
            if before != after:
                return f"{name}, line {number}:\n  {old}: {before!r}\n  {new}: {after!r}", len(names[0])
    return (None if names[0] else f"no answers in {old}"), len(names[0])


def koikoi_lines(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of a filmed round as `koikoi play` reads them, its calls in order of time."""
    deal = {"kind": "deal", "players": 2, "dealer": truth["dealer"], "field": truth["deal_field"]}
    calls = [{"kind": "declare", **call} for call in (truth["final"] or {}).get("decisions", ())]
    moves = [event for event in truth["events"] if event["kind"] != "deal"]
    told = sorted(moves + calls, key=lambda event: int(event["t_ms"]))
    keys = ("kind", "player", "card", "taken", "what")
    return [deal, *({key: event[key] for key in keys if key in event} for event in told), {"kind": "end"}]


def random_koikoi(seed: int) -> list[dict[str, Any]]:
    """Return plays and draws by chance, few of them lawful."""
    dice = random.Random(seed)
    cards = dice.sample(range(48), 48)
    lines: list[dict[str, Any]] = [{"kind": "deal", "players": 2, "dealer": 0, "field": sorted(cards[:8])}]
    for number in range(_LINES):
        card = cards[(8 + number) % 48]
        taken = [other for other in cards if other // 4 == card // 4 and other != card][: dice.randrange(3)]
        kind = ("play", "draw")[number % 2]
        lines.append({"kind": kind, "player": number // 2 % 2, "card": card, "taken": taken})
        if not dice.randrange(8):
            lines.append({"kind": "declare", "player": number // 2 % 2, "what": "koikoi"})
    return lines


def random_kendo(seed: int) -> list[dict[str, Any]]:
    """Return the events of a bout by chance, few of them lawful."""
    dice = random.Random(seed)
    techniques = ("men", "kote", "do")
    cards = [
        *(card.value for card in (*Brown, *Green)),
        *(f"{first}>{then}" for first in techniques for then in techniques),
    ]
    lines: list[dict[str, Any]] = [{"kind": "open", "player": 0}]
    for _ in range(_LINES):
        player, kind = dice.randrange(2), dice.choice(("play", "play", "play", "pass", "exchange", "open"))
        line = {"kind": kind, "player": player}
        lines.append(line | {"cards": [dice.choice(cards)]} if kind == "play" else line)
    return lines


def _play(game: str, lines: list[dict[str, Any]], work: Path) -> str:
    events = work / "events.jsonl"
    events.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return _json_of(game, "play", "--events", events, work)


def _first_picture(film: Path, deck: Path, work: Path) -> str:
    import av  # noqa: PLC0415 (to compare needs no films)
    import cv2  # noqa: PLC0415

    with av.open(str(film)) as container:
        frame = next(container.decode(video=0))
    photo = work / "photo.png"
    cv2.imwrite(str(photo), frame.to_ndarray(format="bgr24"))
    said = _told("enrol", deck, "--name", "own", work=work)
    return said + _json_of("identify", "--deck", "own", photo, work)


def _cues(voice: str, work: Path) -> str:
    sound = work / "sound"
    said = _told(
        "recite", "--voice", voice, "--seed", "1", "--poems", "8", "--render", sound, "--replace", work=work
    )
    return said + (sound / "cues.json").read_text("utf-8")


def _json_of(*words_and_work: str | Path) -> str:
    """Return what a command says and the JSON it writes, its costs left out; the last word is a folder."""
    *words, work = words_and_work
    out = Path(work) / "answer.json"
    said = _told(*words, "--json", out, "--replace", work=Path(work))
    if not out.exists():
        return said
    answer = without_costs(json.loads(out.read_text("utf-8")))
    return said + f"{json.dumps(answer, ensure_ascii=False, indent=1)}\n".replace(str(work), "WORK")


def _told(*words: str | Path, work: Path) -> str:
    """Run a command of this checkout; return its exit code and its output, nameless of folders."""
    own = os.environ | {"HOME": str(work), "XDG_DATA_HOME": str(work), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "desk", *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True, env=own, cwd=ROOT, check=False)
    return f"exit {run.returncode}\n{run.stdout}{run.stderr}".replace(str(work), "WORK")


def without_costs(answer: Any) -> Any:
    """Return a JSON answer without the keys of `COSTS`, at any depth."""
    if isinstance(answer, dict):
        return {key: without_costs(value) for key, value in answer.items() if key not in COSTS}
    return [without_costs(value) for value in answer] if isinstance(answer, list) else answer


if __name__ == "__main__":
    sys.exit(main())
