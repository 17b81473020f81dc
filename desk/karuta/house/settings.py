"""The settings of this house, from a TOML file and from the environment.

    # shinpan.toml
    rules = "kyogi"            # house rules: kyogi, official, seed-000, seed-001, or a TOML file
    port = 8321                # of the panel

    sound = true               # whether replays keep the sound that is heard; the set-up of a match asks
    appeals = 2                # how often each player may appeal; leave it out for the usual 2, -1: no limit

    [policies]                 # what happens to a ruling without a person
    take = "auto"              # auto | propose
    fault = "propose"          # auto | propose | log | ignore

The file is in the user's configuration folder, or at the path in SHINPAN_CONFIG. Every setting can also be an
environment variable, such as SHINPAN_RULES or SHINPAN_POLICIES__FAULT, which takes precedence over the file.
"""

import os
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from calibration.files.text import TextFileError, read_text
from desk.errors import DeskError, misfits
from desk.karuta.engine.policy import Policies
from desk.karuta.house.agreement import Agreement
from desk.machine.config import PANEL_PORT
from desk.tables.rules_option import load_rules
from referee import toml_text
from referee.complaint import sentence_of
from referee.karuta.house_rules import PRESETS

_PREFIX = "SHINPAN_"


class HouseSettings(BaseModel):
    """The permanent settings of a house."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: str = "kyogi"  # name of a preset of house rules, or a TOML file
    port: int = Field(default=PANEL_PORT, ge=1, le=65535)  # the panel's port, 1..65535
    # how often each player may appeal in a match; -1 for any number of times
    appeals: int = Field(default=2, ge=-1, le=99)
    policies: Policies = Policies()
    sound: bool = True  # whether replays keep the sound that is heard

    @field_validator("rules")
    @classmethod
    def _known_rules(cls, name: str) -> str:
        try:
            load_rules(PRESETS, name)
        except DeskError as error:
            raise ValueError(sentence_of(error)) from error
        return name

    @property
    def agreement(self) -> Agreement:
        """The agreement that the set-up of a match starts from."""
        return Agreement(
            rules=self.rules,
            appeals=None if self.appeals < 0 else self.appeals,
            take=self.policies.take.value,
            fault=self.policies.fault.value,
            keeps_sound=self.sound,
        )


def settings_file() -> Path:
    named = os.environ.get("SHINPAN_CONFIG")
    return Path(named) if named else user_config_path("shinpan", appauthor=False) / "shinpan.toml"


def load_house_settings() -> HouseSettings:
    """Return the settings of this house; DeskError names a setting that is unknown or wrong."""
    path = settings_file()
    if os.environ.get("SHINPAN_CONFIG") and not path.is_file():
        raise DeskError("SHINPAN_CONFIG names {path}, but there is no such file", path=path)
    try:
        told = toml_text.parse(read_text(path)) if path.is_file() else {}
        return HouseSettings.model_validate(_with_environment(told))
    except TextFileError as error:
        raise DeskError(sentence_of(error)) from error
    except ValidationError as error:
        raise DeskError(
            "the settings in {path} or in the environment (SHINPAN_...): {why}",
            path=path,
            why=misfits(error.errors()),
        ) from error
    except ValueError as error:
        raise DeskError("{path} is not a TOML file: {why}", path=path, why=sentence_of(error)) from error


def _with_environment(told: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the file as the environment changes them."""
    named = {name.upper(): value for name, value in os.environ.items()}
    for name in HouseSettings.model_fields:
        key = f"{_PREFIX}{name.upper()}"
        parts = {each[len(key) + 2 :].lower(): named[each] for each in named if each.startswith(f"{key}__")}
        if parts:
            told[name] = {**(known if isinstance(known := told.get(name), dict) else {}), **parts}
        if key in named:
            told[name] = named[key]
    return told
