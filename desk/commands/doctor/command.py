"""`shinpan doctor`: report whether this machine is ready, and what to do if it is not."""

import argparse
import sys
from dataclasses import asdict, replace
from itertools import chain

from calibration.finding import Finding, Status
from desk.commands.doctor.device_checks import check_source
from desk.commands.doctor.machine_checks import examine
from desk.log.json_lines import write_json
from desk.machine.output_file import add_json_output
from referee.sentence import Sentence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--camera", action="append", default=[], metavar="SOURCE", help="also measure this camera or address"
    )
    add_json_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print one line per check; return 1 if something needed for refereeing fails, else 0."""
    findings = []
    named = (replace(check_source(where), name="camera pictures") for where in arguments.camera)
    for finding in chain(examine(), named):
        findings.append(finding)
        if arguments.json is None:
            # each line at once, since looking for sound devices can take a while
            sys.stdout.write(describe(finding) + "\n")
            sys.stdout.flush()
    write_json(arguments.json, [asdict(finding) for finding in findings])
    return 1 if any(finding.status is Status.FAIL for finding in findings) else 0


def describe(finding: Finding) -> str:
    """Return a finding as one line of text, in the language of the terminal."""
    from desk.commands.cli import in_terminal_language

    name = in_terminal_language(Sentence(finding.name))
    found, advice = map(in_terminal_language, (Sentence(finding.found), Sentence(finding.advice)))
    line = f"{finding.status:<4}  {name}: {found}"
    return f"{line} -> {advice}" if advice else line
