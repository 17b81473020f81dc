"""Whoever asks for known holes where nobody answers is told so, and does not pass."""

import os
import subprocess
import sys

import pytest

from desk.machine.config import first_free
from tests.docs.shown_commands import ROOT


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")
def test_an_audit_that_reaches_nobody_says_so_and_fails() -> None:
    address = f"http://127.0.0.1:{first_free('127.0.0.1', 21_461)}"
    audit = subprocess.run(
        [ROOT / ".ci" / "audit"],
        env={**os.environ, "OSV_ADDRESS": address},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert audit.returncode == 3
    told = audit.stderr.strip()
    assert len(told.splitlines()) == 1
    assert f"{address} cannot be reached, so nothing is known of" in told
