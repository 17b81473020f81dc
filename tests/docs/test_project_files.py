"""Files for contributors: the workflow, the issue forms, the hooks, the container, the list of tools."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"


def read(path: Path) -> Any:
    """Return a YAML file; `on` is kept from becoming True."""
    return yaml.load(path.read_text("utf-8"), yaml.BaseLoader)


def test_the_workflow_runs_everything_on_three_systems_and_publishes_without_a_password() -> None:
    workflow = read(GITHUB / "workflows" / "check.yml")
    check, build, publish = (workflow["jobs"][name] for name in ("check", "build", "publish"))
    assert check["strategy"]["matrix"]["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert all(step["run"].endswith(".ci/run $EVERYTHING") for step in check["steps"] if "run" in step)
    assert "--all" in check["env"]["EVERYTHING"]
    assert (build["needs"], publish["needs"]) == ("check", "build")
    assert build["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert publish["permissions"] == {"id-token": "write"}
    assert workflow["permissions"] == {"contents": "read"}
    assert "secrets." not in (GITHUB / "workflows" / "check.yml").read_text("utf-8")


def test_the_container_installs_what_ci_does() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    (packages,) = re.findall(r"packages=\(([^)]*)\)", (ROOT / ".ci" / "run").read_text("utf-8"))
    installed = container["onCreateCommand"]
    wanted = {name for name in packages.split() if not name.startswith(("gir1.2", "gstreamer", "python3-"))}
    assert {name for name in wanted if name not in installed.split()} == set()
    assert "uv sync --locked" in installed


def test_every_tool_has_a_line() -> None:
    listed = re.findall(
        r"^\| `(\w+\.py)` \|", (ROOT / "tools" / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert listed == sorted(path.name for path in (ROOT / "tools").glob("*.py"))


def test_workflows_run_nothing_that_somebody_else_can_move() -> None:
    """A tag of an action can be moved to other code; a commit cannot."""
    used = [
        use
        for workflow in (GITHUB / "workflows").glob("*.yml")
        for use in re.findall(r"uses: (\S+)", workflow.read_text("utf-8"))
    ]
    assert used
    assert [use for use in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", use)] == []
