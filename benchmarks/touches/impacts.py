"""What a microphone beside the field adds: touch times with and without the hits that were heard.

`uv run python -m benchmarks.touches.impacts [--seeds 2] [--seed 900] [--fps 60] [--style holdout] [--json
OUT]`: simulated poems whose sound is rendered (hands on cards, room noise) under the built-in reciter's
voice, as loud as the hits.
"""

import sys
from typing import Any

import numpy as np

from benchmarks.command import read_options, write_json
from recitation.reading.phrase import Half, Phrase
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import Voice, find_voice
from referee.facts import Contact, PoemStarted, Touch
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen
from vision.simulator.hall.match import SimulatedMatch, single_poem
from vision.simulator.hall.recorder import RATE_HZ, render_sound
from vision.witnesses.hearing import with_impacts
from vision.witnesses.impacts import find_impacts

SCENARIOS = ("own", "opp", "press", "harai", "race", "both_fault", "dead_touch")
_OFF_MS = 2.0
"""What is off by more has another hit than its own: about one touch in ten is, where the p90 is read."""


def main() -> int:
    """Measure, print a table, optionally write JSON."""
    arguments = read_options(__doc__, seeds=2, seed=900, fps=60.0, style="holdout", scenarios=[*SCENARIOS])
    voice = find_voice("high", DEFAULT)
    print(f"hits heard in the voice alone: {_false_alarms(voice)} in 20 upper halves")
    rows: list[dict[str, Any]] = []
    for seed in range(arguments.seed, arguments.seed + arguments.seeds):
        for scenario in arguments.scenarios:
            match = single_poem(scenario, seed, arguments.fps, (1280, 720), arguments.style)
            rows += _compared(match, scenario, seed, voice)
    # where the eye took a touch for another contact, sound cannot mend it
    right = [row for row in rows if abs(row["seen"][0]) <= row["seen"][1]]
    # two hands at the same cards: whose a hit was, and whose card it is, is the eye's matter too
    alone = [row for row in rows if not row["clip"].startswith("race ")]
    for which, some in (("all touches", rows), ("seen in their interval", right), ("but races", alone)):
        for name in ("seen", "heard"):
            errors = np.abs([row[name][0] for row in some])
            halves = np.array([row[name][1] for row in some])
            p50, p90 = np.percentile(errors, [50, 90])
            print(
                f"{which:<24} {name:<6} n {len(errors)}  p50 {p50:.2f} ms  p90 {p90:.2f} ms  "
                f"off by more than {_OFF_MS:.0f} ms {np.mean(errors > _OFF_MS):.3f}  "
                f"inside its interval {np.mean(errors <= halves):.2f}  half width {np.median(halves):.1f} ms"
            )
    print(f"touches that were weighed with what was heard: {sum(row['matched'] for row in rows)}")
    write_json(arguments.json, rows)
    return 0


def _false_alarms(voice: Voice) -> int:
    return sum(len(find_impacts(_loud(voice, poem), RATE_HZ)) for poem in range(1, 100, 5))


def _loud(voice: Voice, poem: int) -> Any:
    wave = voice.clip(Phrase(poem, Half.KAMI)).wave
    return (0.3 * wave / max(float(np.abs(wave).max()), 1e-6)).astype(np.float32)


def _compared(match: SimulatedMatch, scenario: str, seed: int, voice: Voice) -> list[dict[str, Any]]:
    episode = next(match.episodes())
    start = PoemStarted(episode.poem, round(episode.t_s * 1e9), 1_000_000)
    watcher, seen, started = MatchWatcher(report_tidying=False), None, False
    for frame in match:
        if not started and frame.t_ns >= start.t_ns:
            started = True
            watcher.poem_started(start)
        seen = next((each for each in watcher.feed(frame) if isinstance(each, PoemSeen)), seen)
    seen = next((each for each in watcher.close() if isinstance(each, PoemSeen)), seen)
    if seen is None:
        return []
    sound = render_sound({"poems": [episode.truth]}, episode.end_s + 1.0, seed)
    spoken = _loud(voice, episode.poem)
    begin = round(episode.t_s * RATE_HZ)
    length = min(len(spoken), len(sound) - begin)
    sound[begin : begin + length] += spoken[:length]
    heard = with_impacts(seen.facts, find_impacts(sound, RATE_HZ))
    # who it was is the eye's matter: here a touch is compared with the contact it was taken for
    truth: dict[int, list[float]] = {}
    for each in episode.truth["touches"]:
        truth.setdefault(each["card"], []).append(each["t_ms"])
    rows = []
    for before, after in zip(seen.facts, heard, strict=True):
        if not (isinstance(before, Touch) and isinstance(after, Touch) and before.contact is Contact.TOUCH):
            continue
        if before.card in truth:
            true_ms = min(truth[before.card], key=lambda t_ms: abs(before.t_ns / 1e6 - t_ms))
            rows.append(
                {
                    "clip": f"{scenario} {seed}",
                    "seen": (before.t_ns / 1e6 - true_ms, before.t_unc_ns / 1e6),
                    "heard": (after.t_ns / 1e6 - true_ms, after.t_unc_ns / 1e6),
                    "matched": after != before,
                }
            )
    return rows


if __name__ == "__main__":
    sys.exit(main())
