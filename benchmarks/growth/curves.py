"""What each curve shows: its axes and lines, named in the languages of the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Words = Mapping[str, str]
"""A text by language, `en` and `ja`."""


@dataclass(frozen=True)
class Line:
    """One line of a panel: the key of its values in the figures, and its name."""

    key: str
    name: Words
    is_floor: bool = False


@dataclass(frozen=True)
class Panel:
    """Lines over the same values: what they measure, with its unit."""

    says: Words
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Curve:
    """How cost grows with one thing.

    Attributes
    ----------
    key : of the grown thing in the figures' points.
    says : what grows, with its unit.
    panels : what is told of it.
    measured_by : module and function that measures the points.
    """

    key: str
    says: Words
    panels: tuple[Panel, ...]
    measured_by: tuple[str, str]


def _words(en: str, ja: str) -> Words:
    return {"en": en, "ja": ja}


_PICTURE: Final = _words("processor time per picture, ms", "CPU 時間 (ms / コマ)")
_RATIO: Final = Panel(
    _words("judge, times decoding alone", "判定 ÷ デコードのみ (倍)"), (Line("ratio", _words("ratio", "比")),)
)
_JUDGED: Final = (
    Line("judged", _words("judge", "判定")),
    Line("decoded", _words("decoding alone", "デコードのみ"), is_floor=True),
)

CURVES: Final[Mapping[str, Curve]] = {
    "fps": Curve(
        "fps",
        _words("pictures a second (30, 60, 120, 240)", "毎秒のコマ数 (30、60、120、240)"),
        (Panel(_words("processor time per second of film, s", "CPU 時間 (秒 / 映像 1 秒)"), _JUDGED), _RATIO),
        ("benchmarks.growth.films", "by_fps"),
    ),
    "resolution": Curve(
        "megapixels",
        _words(
            "megapixels per picture (360p, 540p, 720p, 1080p)",
            "1 コマの画素数 (百万。360p、540p、720p、1080p)",
        ),
        (Panel(_PICTURE, _JUDGED), _RATIO),
        ("benchmarks.growth.films", "by_resolution"),
    ),
    "cards": Curve(
        "cards",
        _words("cards on the field (8, 16, 24, 36, 50)", "場の札の枚数 (8、16、24、36、50)"),
        (Panel(_PICTURE, _JUDGED), _RATIO),
        ("benchmarks.growth.films", "by_cards"),
    ),
    "viewers": Curve(
        "viewers",
        _words("viewers", "観戦者 (人)"),
        (
            Panel(
                _words("processor time per event, ms", "CPU 時間 (ms / 出来事)"),
                (
                    Line("processor", _words("server", "サーバー")),
                    Line("processor_alone", _words("no viewers", "観戦者なし"), is_floor=True),
                ),
            ),
            Panel(
                _words("processor time until a ruling is logged, ms", "判定を記録するまでの CPU 時間 (ms)"),
                (
                    Line("ruling", _words("one ruling", "1 件の判定")),
                    Line("ruling_alone", _words("no viewers", "観戦者なし"), is_floor=True),
                ),
            ),
        ),
        ("benchmarks.growth.viewers", "by_viewers"),
    ),
    "length": Curve(
        "events",
        _words("entries in the match's log", "試合の記録 (件)"),
        (
            Panel(
                _words("processor time to open the log, ms", "記録を開く CPU 時間 (ms)"),
                (
                    Line("opened", _words("open and replay", "開いて再生")),
                    Line("rows", _words("read the rows", "行を読むのみ"), is_floor=True),
                ),
            ),
            Panel(
                _words("processor time per event, ms", "CPU 時間 (ms / 出来事)"),
                (
                    Line("taken", _words("take in", "取り込む")),
                    Line("written", _words("write alone", "書き込みのみ"), is_floor=True),
                ),
            ),
        ),
        ("benchmarks.growth.matches", "by_length"),
    ),
    "book": Curve(
        "matches",
        _words("matches in the book (20, 40, 80, 160)", "戦績帳の試合数 (20、40、80、160)"),
        (
            Panel(
                _words("processor time of the first index, s", "最初の索引の CPU 時間 (秒)"),
                (
                    Line("indexed", _words("index", "索引")),
                    Line("rows", _words("read the rows", "行を読むのみ"), is_floor=True),
                ),
            ),
            Panel(
                _words("processor time, ms", "CPU 時間 (ms)"),
                (
                    Line("page", _words("a page, p95", "1 ページ (p95)")),
                    Line("later", _words("later start", "次からの起動")),
                ),
            ),
        ),
        ("benchmarks.growth.seasons", "by_matches"),
    ),
}
