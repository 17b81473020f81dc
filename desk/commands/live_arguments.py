"""The arguments that live commands share."""

import argparse
from pathlib import Path

from desk.machine.config import PANEL_PORT
from referee.sentence import Sentence


def add_live_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--source",
        default="0",
        metavar="WHERE",
        help="a camera's number or device, a stream's address, phone, or a recording's folder (default: 0)",
    )
    parser.add_argument("--deck", metavar="NAME", help="the enrolled deck on the table")
    parser.add_argument(
        "--name", action="append", default=[], dest="names", metavar="NAME", help="a player, in seat order"
    )
    parser.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="TOML file with the section [table] of a recording; default: the printed table's zones",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=PANEL_PORT,
        help=Sentence("the page's port (default: {port})", port=PANEL_PORT),
    )
    parser.add_argument(
        "--lan", action="store_true", help="let phones in: over their own links players can call and declare"
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="the log to create, or to continue")
    add_phone_arguments(parser)


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=int,
        help=Sentence(
            "the page's port; the next free one if it is in use (default: {port})", port=PANEL_PORT
        ),
    )
    parser.add_argument(
        "--lan",
        action="store_true",
        help="open the page to other machines: anybody may look, commands need a token",
    )


def add_phone_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how a phone connects as a camera; see `desk.phone.station`."""
    parser.add_argument(
        "--certificate",
        type=Path,
        metavar="FILE",
        help="your own certificate (PEM) for the page of a phone that is a camera (default: one is made)",
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="the private key of --certificate (PEM)")


def add_witness_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the equipment of a karuta match beside its camera; see `desk.karuta.eye.equipment`."""
    parser.add_argument(
        "--second-camera",
        metavar="SOURCE",
        help="another live camera on the same field, from the side or low down, as an additional witness",
    )
    parser.add_argument(
        "--microphone",
        nargs="?",
        const="",
        metavar="DEVICE",
        help="listen for hits on the tatami, which time touches more exactly (default device: the system's)",
    )
    parser.add_argument(
        "--deck",
        metavar="NAME",
        help="the enrolled deck of torifuda in play; a hand-written deck can only be read when enrolled",
    )
    add_phone_arguments(parser)
