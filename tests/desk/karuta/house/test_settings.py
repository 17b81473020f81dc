"""The settings of a house, from real files and environment variables."""

from pathlib import Path

import pytest

from desk.errors import DeskError
from desk.karuta.engine.policy import Policies, Policy
from desk.karuta.house.settings import load_house_settings


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "shinpan" / "shinpan.toml"
    path.parent.mkdir()
    return path


def test_without_a_file_everything_is_as_the_rules_say(file: Path) -> None:
    settings = load_house_settings()
    assert (settings.rules, settings.port, settings.policies) == ("kyogi", 8321, Policies())


def test_a_file_sets_what_it_names(file: Path) -> None:
    file.write_text('rules = "seed-000"\nport = 9000\n[policies]\nfault = "propose"\n')
    settings = load_house_settings()
    assert settings.rules == "seed-000"
    assert settings.port == 9000
    assert settings.policies == Policies(Policy.AUTO, Policy.PROPOSE)


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
