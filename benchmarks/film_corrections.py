"""Judge each poem of recordings once more by itself, as after a correction, and compare with the whole film.

`uv run python -m benchmarks.film_corrections [FOLDER ...]`

A correction of the film page looks only at the pictures from the reading before a poem to the next one. Here
nothing is corrected: whatever differs, differs because less of the film was seen.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.command import read_options, write_json
from benchmarks.places import SHARED
from desk.films.correction import judge_again
from desk.films.film import open_film
from desk.films.reading import FilmReading
from desk.karuta.evidence.poem_json import judged_poem
from desk.karuta.eye.recorded_match import rules_named, watch_recording
from referee.facts import PoemStarted
from vision.recordings.recording import JOKA, load_recording
from vision.torifuda.prior_knowledge import NOTHING_KNOWN

_OUTCOME = ("taken_by", "faults", "sends")


def main() -> int:
    """Print how many poems are ruled alike, and what each costs; 1 where one is decided wrongly."""
    poems = alike = wrong = 0
    whole_s = again_s = 0.0
    asked = read_options(__doc__, SHARED / "practice" / "match-00")
    for folder in asked.folders:
        recording, rules = load_recording(folder), rules_named(None)
        film = open_film(recording.video, recording.filmed_fps)
        read = [one for one in recording.readings if one.poem != JOKA]
        readings = [FilmReading(one.t_ns, one.t_unc_ns, one.poem) for one in read]
        began_s = time.process_time()
        whole = watch_recording(folder, rules).judged["poems"]
        whole_s += time.process_time() - began_s
        truth = _truth(folder)
        for place, poem in enumerate(whole):
            began_s = time.process_time()
            again = judge_again(film, readings, place, rules, NOTHING_KNOWN)
            again_s += time.process_time() - began_s
            start = PoemStarted(read[place].poem, read[place].t_ns, read[place].t_unc_ns)
            ruling = judged_poem(start, again.seen, rules)["ruling"]
            same = all(ruling[key] == poem["ruling"][key] for key in (*_OUTCOME, "status"))
            is_wrong = ruling["status"] == "decided" and any(
                ruling[key] != truth.get(start.poem, ruling)[key] for key in _OUTCOME
            )
            poems, alike, wrong = poems + 1, alike + same, wrong + is_wrong
            sys.stdout.write(f"{folder.name} poem {start.poem}: {'same' if same else 'another'} ruling\n")
    share = again_s / max(1, poems) / max(whole_s, 1e-9)
    sys.stdout.write(
        f"{alike} of {poems} poems ruled alike, {wrong} decided wrongly; one poem again costs {share:.0%} of "
        f"the whole film ({again_s / max(1, poems):.1f} s of CPU time)\n"
    )
    write_json(asked.json, {"poems": poems, "alike": alike, "wrong": wrong, "share": share})
    return 1 if wrong else 0


def _truth(folder: Path) -> dict[int, Any]:
    path = folder / "truth.json"
    if not path.is_file():
        return {}
    return {poem["poem"]: poem["ruling"] for poem in json.loads(path.read_text("utf-8"))["poems"]}


if __name__ == "__main__":
    sys.exit(main())
