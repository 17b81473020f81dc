"""Writes what was measured at every card that moved in recordings with truth, as `make_contact_data` does.

`python tools/measure_recordings.py OUT FOLDER ...`: for tests on renderers that are not ours, which never
teach, and for path-traced films, of which some may (`train_contact.py --traced`).
"""

import gzip
import json
import pickle
import sys
from pathlib import Path

from make_contact_data import Notes, Sample, Told

from desk.karuta.eye.recorded_match import judge_recording


def measured(recording: Path, notes: Notes) -> Sample:
    """Judge a recording of one poem and return what was measured in it."""
    notes.last = []
    judged = judge_recording(recording)
    truth = json.loads((recording / "truth.json").read_text("utf-8"))
    poem, meta = truth["poems"][0], truth.get("meta", {})
    touches: dict[int, dict[str, float]] = {}
    for touch in poem["touches"]:
        touches.setdefault(touch["card"], {})[touch["player"]] = touch["t_ms"]
    told: dict[int, list[Told]] = {}
    for one in judged["poems"][0]["touches"]:
        fact = Told(one["player"], one["t_ms"], one["t_unc_ms"], one["confidence"], one["kind"])
        told.setdefault(one["card"], []).append(fact)
    return Sample(
        recording.parent.name,
        poem.get("scenario", recording.name),
        0,
        float(meta.get("fps", 0)),
        [motion for motion, _, _ in notes.last],
        [slot.card for _, slot, _ in notes.last],
        [0.0 for _ in notes.last],
        touches,
        [one["card"] for key in ("touches", "pushed_out", "displaced") for one in poem.get(key, ())],
        told,
        poem | {"judged": judged["poems"][0]},
    )


def main() -> int:
    """Measure every recording with one poem below the folders."""
    out, *folders = sys.argv[1:]
    notes, samples = Notes(), []
    for folder in folders:
        for file in sorted(Path(folder).glob("*/truth.json")):
            samples.append(measured(file.parent, notes))
            print(file.parent.name, len(samples[-1].motions), flush=True)
    with gzip.open(out, "wb") as opened:
        pickle.dump(samples, opened)
    return 0


if __name__ == "__main__":
    sys.exit(main())
