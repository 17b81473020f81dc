"""What is agreed before a match becomes its settings, its policies and its reading."""

from dataclasses import fields
from pathlib import Path

import pytest

from desk.errors import DeskError
from desk.karuta.engine.policy import Policy
from desk.karuta.house.agreed_reader import SILENT, reading_of
from desk.karuta.house.agreement import Agreement, rule_settings
from desk.karuta.house.settings import HouseSettings, load_house_settings
from desk.tables.source_kind import Source
from recitation.reading.phrase import JOKA
from referee.karuta.flow.state import MINUTE_NS
from referee.karuta.rulebook import switches
from referee.karuta.ruleset import RuleSet


@pytest.mark.parametrize("source", [Source.SIMULATOR, Source.VIDEO])
def test_pictures_that_exist_already_begin_with_the_first_poem(source: Source) -> None:
    settings = Agreement(memorise_min=15).settings(source)
    assert settings.memorise_ns == settings.practice_swings_ns == 0
    assert not settings.rules.joka
    short = Agreement(memorise_min=1).settings(Source.CAMERA)
    assert short.practice_swings_ns == MINUTE_NS, "no longer time for swings than for memorising"


@pytest.mark.parametrize(("name", "value"), [("rules", "chess"), ("take", "ignore"), ("fault", "maybe")])
def test_what_cannot_be_agreed_is_refused(name: str, value: str) -> None:
    with pytest.raises(DeskError, match=value):
        Agreement.of({**Agreement().to_json(), name: value})


def test_one_name_for_both_players_is_refused() -> None:
    with pytest.raises(DeskError, match="two players are called Hana"):
        Agreement.of({**Agreement().to_json(), "near": "Ｈａｎａ", "far": " Hana"})
    with pytest.raises(DeskError, match="the name Hana has signs in it that nobody sees"):
        Agreement.of({**Agreement().to_json(), "far": "Hana\u200b"})


def test_the_reading_waits_for_the_rules_and_reads_every_poem_once() -> None:
    reading = reading_of(Agreement(voice="low", order_seed=3).reader, joka=True)
    assert reading.by_hand
    assert reading.voice == "low"
    assert reading.steps[0][0].poem == JOKA
    poems = [phrase.poem for step in reading.steps for phrase in step if phrase.half == "kami"]
    assert sorted(poems[1:]) == list(range(1, 101))
    assert (
        reading_of(Agreement(order_seed=3).reader, joka=True).steps
        == reading_of(Agreement(order_seed=3, voice="low").reader, joka=True).steps
    )
    assert reading_of(Agreement(voice=SILENT).reader, joka=False).silent, "it keeps the time of the text"


def test_a_match_that_goes_on_reads_what_is_left_and_the_misread_poem_first() -> None:
    agreed = Agreement(order_seed=3).reader
    whole = reading_of(agreed, joka=True)
    order = [phrase.poem for step in whole.steps for phrase in step if phrase.half == "kami"][1:]
    rest = reading_of(agreed, joka=False, read=order[:10], first=order[20])
    read = [phrase.poem for step in rest.steps for phrase in step if phrase.half == "kami"]
    assert read == [order[20], *order[10:20], *order[21:]]


@pytest.mark.parametrize("wish", [{"voice": "nobody"}, {"rhythm": "fast"}])
def test_a_voice_or_rhythm_that_is_not_there_is_refused(wish: dict[str, str]) -> None:
    with pytest.raises(DeskError):
        reading_of(Agreement(**wish).reader, joka=False)  # type: ignore[arg-type]


def test_the_house_sets_how_often_one_may_appeal() -> None:
    assert [HouseSettings(appeals=often).agreement.appeals for often in (-1, 0, 3)] == [None, 0, 3]


NUMBERS = {"measures": "off", "tidying_after_ms": "2000", "wrong_per_thousand": "500.0"}
NUMBERS |= {"min_confidence": "0.9"}


def test_every_switch_can_be_set_otherwise_than_the_rules_say() -> None:
    usual = rule_settings(Agreement().ruleset)
    assert {*usual} == {part.name for part in fields(RuleSet)} - {"name"}
    for switch, text in switches().items():
        other = next((word for word in text.values if word != usual[switch]), None)
        other = other or NUMBERS[switch]
        agreed = Agreement.of({"changes": {switch: other}})
        changed = rule_settings(agreed.ruleset)
        assert {name for name in changed if changed[name] != usual[name]} == {switch}
        assert changed[switch] == other
        assert agreed.settings(Source.CAMERA).rules.name == "custom"


@pytest.mark.parametrize("changes", [{"wrong_hnad": "void"}, {"wrong_hand": "maybe"}, {"measures": "wide"}])
def test_a_switch_that_is_not_there_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(DeskError):
        Agreement.of({"changes": changes})


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "shinpan" / "shinpan.toml"
    path.parent.mkdir()
    return path


def test_the_environment_goes_before_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('port = 9000\n[policies]\nfault = "propose"\n')
    monkeypatch.setenv("SHINPAN_PORT", "9001")
    monkeypatch.setenv("SHINPAN_POLICIES__FAULT", "log")
    settings = load_house_settings()
    assert (settings.port, settings.policies.fault) == (9001, Policy.LOG)


def test_another_file_can_be_named(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("port = 9000\n")
    other = tmp_path / "club.toml"
    monkeypatch.setenv("SHINPAN_CONFIG", str(other))
    with pytest.raises(DeskError, match=r"names .*club\.toml, but there is no such file"):
        load_house_settings()
    other.write_text("port = 9002\n")
    assert load_house_settings().port == 9002


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("port = = 3", r"shinpan\.toml is not a TOML file"),
        ("prot = 3", "prot is not known here"),
        ("port = 0", r"port cannot be 0 \(expected 1 or more\)"),
        ('rules = "house"', "rules: .*there is no ruleset 'house'; presets: kyogi, official"),
        ('rules = "no-such-file.toml"', "rules: .*no-such-file.toml"),
        (
            '[policies]\nfault = "maybe"',
            r"policies\.fault cannot be 'maybe' \(expected one of 'auto', 'propose', ",
        ),
        ('port = "high"', r"port cannot be 'high' \(expected a whole number\)"),
        ('sound = "loud"', r"sound cannot be 'loud' \(expected true or false\)"),
        ("policies = 3", r"policies cannot be 3 \(expected a table of keys\)"),
        ('[policies]\ntake = "ignore"', "the policy for takes is auto or propose, got ignore"),
    ],
)
def test_what_cannot_be_is_named(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(DeskError, match=message):
        load_house_settings()
