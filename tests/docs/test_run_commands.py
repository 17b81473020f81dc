"""The quick commands that pages show run as they stand, beside a stored match."""

from pathlib import Path

import pytest

from desk.commands.cli import main
from desk.log.jsonl_file import import_jsonl
from tests.docs.shown_commands import PAGES, ROOT, is_ours, shown_commands

EXAMPLE = ROOT / "docs" / "reference" / "formats" / "examples" / "match.jsonl"
QUICK = (
    "book",
    "decks list",
    "kendo mat",
    "koikoi mat",
    "koikoi rules",
    "log check",
    "log export",
    "log import",
    "log show",
    "replay",
    "sets save",
    "voices list",
)
"""What these begin with is run; the others need a camera, a loudspeaker, a film, another machine, or minutes.
(`.ci/package` runs the demo.)"""


def test_quick_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    kept = tmp_path / "data" / "shinpan" / "matches"
    kept.mkdir(parents=True)
    nobody, both = '"far": null, "near": null', '"far": "Ken", "near": "Hana"'
    played = EXAMPLE.read_text("utf-8").replace(nobody, both, 1)
    (tmp_path / "played.jsonl").write_text(played, "utf-8")
    for path in (tmp_path / "MATCH.sqlite", kept / "MATCH.sqlite"):
        import_jsonl(tmp_path / "played.jsonl", path).close()
    shown = [
        each.words[1:] for page in PAGES for each in shown_commands(page) if each.is_whole and is_ours(each)
    ]
    quick = [words for words in dict.fromkeys(shown) if " ".join(words).startswith(QUICK)]
    assert {start for start in QUICK for words in quick if " ".join(words).startswith(start)} == set(QUICK)
    assert {words: code for words in quick if (code := main(words))} == {}
