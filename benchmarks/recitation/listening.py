"""How often the listener names the poem, how soon, how exactly it finds the onset, and what it makes of talk.

    uv run --extra voices python -m benchmarks.recitation.listening [--every 4] [--json OUT]

The human reader beside the checkout (`../shared/data/reader`, a trained man) was never trained on; espeak-ng
is a formant synthesiser that shares nothing with the voices of the lessons. Each upper verse is heard among
all hundred poems, first as a single clip of an unknown reader, then by a listener who knows the reader from
the joka, after so many seconds of sound.
"""

import json
import shutil
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.signal import fftconvolve

from benchmarks.command import read_options, write_json
from benchmarks.places import SHARED
from desk.karuta.readers.recital import HeardPoem, Recital
from desk.karuta.readers.simulated_reader import kimariji_moras
from recitation.chant.pronunciation import spoken
from recitation.imports.decoding import load
from recitation.listening.hearing import Hearing, hear_verse, learn_reader
from recitation.listening.listener import ONSET_UNC_S, Listener, listen
from recitation.listening.live_listener import LOOKS_S, LiveListener
from recitation.listening.moras import begun_moras
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import samples
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import Wave
from recitation.sound.trimming import stretches
from recitation.voices import plain_speech
from recitation.voices.catalogue import find_voice
from referee.cards.poems import POEMS

_LOOKS_S = (0.6, 0.8, 1.0, 1.5, 2.5)
_KU_GAP = np.zeros(samples(0.06), np.float32)
_READER = SHARED / "data" / "reader"
_FOLDERS = {Half.KAMI: "first-verse", Half.SHIMO: "second-verse"}
Read = Callable[[Phrase], Wave]


def main() -> None:
    """Print one row per reader."""
    options = read_options(__doc__, every=4)
    asked = list(POEMS)[:: options.every]
    looks = "".join(f"{look_s:6.1f} s" for look_s in _LOOKS_S)
    print(
        f"{'reader':28s} single{looks}   whole  wrong >= 0.9   of {len(asked)}   cost x real time", flush=True
    )
    rows = {}
    for name, read in readers().items():
        rows[name] = row = _row(read, asked)
        counts = "".join(f"{row['looks'][str(look_s)]:8d}" for look_s in _LOOKS_S)
        print(
            f"{name:28s}{row['single']:7d}{counts}{row['whole']:8d}{row['wrong']:14d}{row['cost']:25.3f}",
            flush=True,
        )
    calibrated = calibration(asked)
    for people, bins in calibrated.items():
        shares = ", ".join(f"{share} {right} of {count}" for share, (right, count) in bins.items())
        print(f"right while the verse unfolds, by confidence: {people} {shares}")
    talk = _false_alarms()
    print(f"taken for a reading: {talk} of {len(_NO_POEMS)} sentences that are no poem")
    told: dict[str, Any] = {
        "asked": len(asked),
        "readers": rows,
        "calibration": calibrated,
        "talk_taken_for_reading": talk,
    }
    if (_READER / "match.ogg").exists():
        told["match"] = match = _match()
        print(
            f"match of the human reader: {match['found']} of {match['halves']} halves found, "
            f"{match['false']} false, {match['right']} right, {match['wrong']} wrong with >= 0.9; "
            f"onset p50 {match['p50_ms']:.0f} ms, p90 {match['p90_ms']:.0f} ms"
        )
        told["followed"] = followed = _followed()
        print(
            f"the same followed as in a live match: {followed['right']} of {followed['poems']} poems named "
            f"rightly, {followed['wrong']} wrongly, {followed['late']} only at their end; "
            f"after p50 {followed['p50_s']:.1f} s, p90 {followed['p90_s']:.1f} s; first sounds off by "
            f"{', '.join(f'{off_ms:.0f}' for off_ms in followed['onsets_ms'])} ms, "
            f"{followed['inside']} within their own interval"
        )
    told["moras_ms"] = moras_ms = _moras_off_ms(asked)
    print(f"ends of the kimariji, heard half a second later: off by p95 {moras_ms:.0f} ms (built-in voices)")
    write_json(options.json, told)


def readers() -> dict[str, Read]:
    """Return who reads."""
    found: dict[str, Read] = {}
    if _READER.is_dir():
        found |= {
            "human, clean": _human,
            "human, noise -30 dB": lambda phrase: _noisy(_human(phrase), -30.0),
            "human, noise -20 dB": lambda phrase: _noisy(_human(phrase), -20.0),
            "human, echoing 0.4 s": lambda phrase: _echoing(_human(phrase)),
        }
    if shutil.which(plain_speech.ESPEAK):
        for variant, words in (("", 90), ("+m3", 80), ("+f2", 90), ("+f4", 100)):
            speak = partial(plain_speech.espeak, variant=variant, words_per_minute=words)
            found[f"espeak-ng {variant or 'default'}"] = partial(_spoken, speak)
    return found


def _row(read: Read, asked: list[int]) -> dict[str, Any]:
    known = Listener(usual=learn_reader([read(Phrase(JOKA, half)) for half in Half]))
    looks = dict.fromkeys(map(str, _LOOKS_S), 0)
    single = whole = wrong = 0
    spent_s = sound_s = 0.0
    for poem in asked:
        wave = read(Phrase(poem, Half.KAMI))
        alone = Listener().ended(hear_verse(wave, learn_reader([wave])), 0.0).heard.suggestions
        single += bool(alone) and alone[0].poem == poem
        for look_s in _LOOKS_S:
            told = known.begun(hear_verse(wave[: samples(look_s)], known.usual))
            looks[str(look_s)] += bool(told) and told[0].poem == poem
        began_s = time.process_time()
        told = known.ended(hear_verse(wave, known.usual), 0.0).heard.suggestions
        spent_s += time.process_time() - began_s
        sound_s += len(wave) / samples(1.0)
        whole += bool(told) and told[0].poem == poem
        wrong += sum(bool(one) and one[0].poem != poem and one[0].confidence >= 0.9 for one in (told, alone))
    return {"single": single, "looks": looks, "whole": whole, "wrong": wrong, "cost": spent_s / sound_s}


def calibration(asked: list[int]) -> dict[str, dict[str, tuple[int, int]]]:
    """Count how often suggestions are right while a verse unfolds, by confidence; some poems were read."""
    dice = np.random.default_rng(1)
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for name, read in readers().items():
        usual = learn_reader([read(Phrase(JOKA, half)) for half in Half])
        bins = found.setdefault(name.split()[0].strip(","), {})
        for poem in asked:
            unread = {poem, *(int(one) for one in dice.permutation(list(POEMS))[: dice.integers(20, 100)])}
            wave, hearing, at = read(Phrase(poem, Half.KAMI)), Hearing(usual), 0
            for look_s in LOOKS_S:
                hearing.hear(wave[at : samples(look_s)])
                at = samples(look_s)
                for best in Listener(unread).begun(hearing)[:1]:
                    share = next(name for least, name in _BINS if best.confidence >= least)
                    right, count = bins.get(share, (0, 0))
                    bins[share] = (right + (best.poem == poem), count + 1)
    return {name: {share: bins[share] for _, share in _BINS if share in bins} for name, bins in found.items()}


_BINS = ((0.97, ">= 0.97"), (0.9, "0.9 to 0.97"), (0.7, "0.7 to 0.9"), (0.5, "0.5 to 0.7"), (0.0, "< 0.5"))


def _match() -> dict[str, Any]:
    """Listen to a whole match with card slaps between the halves."""
    truth = json.loads((_READER / "match.json").read_text("utf-8"))["halves"]
    readings = listen(load(_READER / "match.ogg"), Listener())
    late_ms, right, wrong = [], 0, 0
    for half in truth:
        near = [one for one in readings if abs(one.t_s - half["onset_s"]) < 0.6]
        for one in near[:1]:
            late_ms.append(1e3 * abs(one.t_s - half["onset_s"]))
            best = one.suggestions[:1]
            is_right = bool(best) and (best[0].poem, one.half) == (half["poem"], half["half"])
            right += is_right
            wrong += bool(best) and not is_right and best[0].confidence >= 0.9
    return {
        "halves": len(truth),
        "found": len(late_ms),
        "false": len(readings) - len(late_ms),
        "right": right,
        "wrong": wrong,
        "p50_ms": float(np.percentile(late_ms, 50)),
        "p90_ms": float(np.percentile(late_ms, 90)),
    }


def _followed() -> dict[str, Any]:
    """Follow the whole match as the desk does, block by block, and see which poems are named, and when."""
    truth = json.loads((_READER / "match.json").read_text("utf-8"))["halves"]
    upper = [half for half in truth if half["half"] == Half.KAMI and half["poem"] != JOKA]
    wave, live, recital = load(_READER / "match.ogg"), LiveListener(Listener()), Recital(0.9, joka=True)
    named: list[tuple[HeardPoem, float]] = []
    block = samples(0.1)
    for at in range(0, len(wave), block):
        for noticed in live.hear(wave[at : at + block]):
            t_ns = round(noticed.sample / samples(1.0) * 1e9)
            for sound in recital.take(noticed, t_ns, round(ONSET_UNC_S * 1e9), live.verse):
                if isinstance(sound, HeardPoem):
                    named.append((sound, (at + block) / samples(1.0) - sound.start.t_ns / 1e9))
                    live.listener.unread = [one for one in live.listener.unread if one != sound.start.poem]
    onsets = {half["poem"]: half["onset_s"] for half in upper}
    off_ns = [abs(1e9 * onsets.get(poem.start.poem, -9.0) - poem.start.t_ns) for poem, _ in named]
    near_ns = 600_000_000
    right = [
        (poem, after_s, off) for (poem, after_s), off in zip(named, off_ns, strict=True) if off < near_ns
    ]
    right_s = [after_s for _, after_s, _ in right]
    return {
        "poems": len(upper),
        "right": len(right),
        "wrong": len(named) - len(right),
        "onsets_ms": sorted(off / 1e6 for _, _, off in right),
        "inside": sum(off <= poem.start.t_unc_ns for poem, _, off in right),
        "late": sum(after_s > 4.5 for after_s in right_s),
        "p50_s": float(np.percentile(right_s, 50)),
        "p90_s": float(np.percentile(right_s, 90)),
    }


def _moras_off_ms(asked: list[int]) -> float:
    """Return how far off the ends of kimariji are heard (95 %) in voices whose moras are known."""
    off = []
    for voice in (find_voice(name, DEFAULT) for name in ("high", "low")):
        usual = learn_reader([voice.clip(Phrase(JOKA, half)).wave for half in Half])
        for poem in asked:
            phrase, said = Phrase(poem, Half.KAMI), kimariji_moras(poem, POEMS)
            clip, hearing = voice.clip(phrase), Hearing(usual)
            hearing.hear(clip.wave[: clip.moras[said].sample + samples(0.5)])
            heard = begun_moras(hearing.evidence, hearing.weights, phrase)
            off.append(abs(heard[said].sample - clip.moras[said].sample) if said < len(heard) else np.inf)
    return float(np.percentile(off, 95)) * 1e3 / samples(1.0)


def _false_alarms() -> int:
    """Count sentences that are no poems and yet are reported as a reading."""
    speakers = [plain_speech.speaker()]
    if shutil.which(plain_speech.ESPEAK):
        speakers.append(partial(plain_speech.espeak, variant="+f2", words_per_minute=120))
    count = 0
    for index, sentence in enumerate(_NO_POEMS):
        speak = speakers[index % len(speakers)]
        wave = np.concatenate([part for ku in sentence.split() for part in (speak(ku), _KU_GAP)])
        count += bool(listen(np.pad(wave, samples(1.0)), Listener()))
    return count


_NO_POEMS = (
    "ミナサマコンバンワ キョーワヨイテンキデス ソロソロハジメマス",
    "フルイケヤ カワズトビコム ミズノオト",
    "マモナクデンシャガ マイリマスノデ オサガリクダサイ",
    "シズカニシテクダサイ フダオナラベテ アンキシテクダサイ",
    "イチニサンシ ゴロクシチハチ クジュージューイチ",
    "サクラサクラ ヤヨイノソラワ ミワタスカギリ",
    "アリガトーゴザイマシタ マタドーゾ オコシクダサイ",
    "ツギノカタドーゾ コチラエ オハイリクダサイ",
)


def _human(phrase: Phrase) -> Wave:
    wave = load(_READER / _FOLDERS[phrase.half] / f"poem-{phrase.poem}.ogg")
    found = stretches(wave)
    return wave[found[0][0] : found[-1][1]]


def _spoken(speak: Callable[[str], Wave], phrase: Phrase) -> Wave:
    return np.concatenate(
        [part for ku in spoken(phrase) for part in (plain_speech.trimmed(speak(ku)), _KU_GAP)]
    )


def _noisy(wave: Wave, level_db: float) -> Wave:
    noise = np.random.default_rng(0).standard_normal(len(wave))
    return np.asarray(wave + np.sqrt(np.mean(wave**2)) * 10 ** (level_db / 20) * noise, dtype=np.float32)


def _echoing(wave: Wave) -> Wave:
    """Return a wave in a room that takes 0.4 s to fall silent (60 dB), half as loud as the direct sound."""
    t_s = np.arange(samples(0.5)) / samples(1.0)
    room = np.random.default_rng(4).standard_normal(len(t_s)) * 10 ** (-3 * t_s / 0.4)
    room *= 0.5 / np.sqrt(np.sum(room**2))
    room[0] = 1.0
    return np.asarray(fftconvolve(wave, room)[: len(wave)], dtype=np.float32)


if __name__ == "__main__":
    main()
