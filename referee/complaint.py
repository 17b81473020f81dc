"""What an error complains of, as a sentence that can be said in every language.

What comes from the operating system, from SQLite and from libraries has words of our own here: they say it in
one language each, and not what a person can do.
"""

import errno
import re
from collections.abc import Mapping
from types import MappingProxyType

from referee.sentence import Sentence

_FULL = Sentence("the disk is full: make room on it")
_FORBIDDEN = Sentence("you may not do this there: choose another folder, or ask whose it is")
_READ_ONLY = Sentence("nothing can be written there, it is read-only: choose another folder")
_UNREADABLE = Sentence("the disk does not read or write what it should: look after the disk")
_BUSY = Sentence("another program uses it: end that program, then try again")
_TOO_MANY = Sentence("this computer has too many files open: close other programs")
_GONE = Sentence("the device does not answer: check its cable")
_UNREACHED = Sentence("the network does not reach it: check the address and the network")
_NO_ANSWER = Sentence("no answer came in time: look whether it is switched on, and after the network")
_BROKEN_OFF = Sentence("the other side broke the connection off: try again")
_TOO_SHORT = Sentence("it ends too early")
_WRONG_NAME = Sentence("the name is too long, or has characters that are not possible there: choose another")

_NUMBERED: Mapping[int, Sentence] = MappingProxyType(
    {
        errno.ENOSPC: _FULL,
        errno.EDQUOT: _FULL,
        errno.EFBIG: Sentence("the disk takes no file of this size: choose another disk"),
        errno.EACCES: _FORBIDDEN,
        errno.EPERM: _FORBIDDEN,
        errno.EROFS: _READ_ONLY,
        errno.EIO: _UNREADABLE,
        errno.ENOENT: Sentence("there is no such file or folder: check the name"),
        errno.ENOTDIR: Sentence("a part of the path is a file, not a folder: check the name"),
        errno.EISDIR: Sentence("it is a folder: name a file in it"),
        errno.EEXIST: Sentence("it exists already: choose another name"),
        errno.ENOTEMPTY: Sentence("the folder is not empty: choose another, or empty it"),
        errno.ENAMETOOLONG: _WRONG_NAME,
        errno.EINVAL: _WRONG_NAME,
        errno.EILSEQ: _WRONG_NAME,
        errno.ELOOP: Sentence("its links lead in a circle: name the file itself"),
        errno.EXDEV: Sentence("it lies on another disk: choose a folder on the same disk"),
        errno.EBUSY: _BUSY,
        errno.EAGAIN: _BUSY,
        errno.EMFILE: _TOO_MANY,
        errno.ENFILE: _TOO_MANY,
        errno.ENOMEM: Sentence("the memory does not suffice: close other programs"),
        errno.ENODEV: _GONE,
        errno.ENXIO: _GONE,
        errno.EADDRINUSE: Sentence("another program uses this port: end it, or choose another port"),
        errno.EADDRNOTAVAIL: Sentence("this computer does not have this address: check the address"),
        errno.ECONNREFUSED: Sentence("nobody answers at this address: look whether its program runs"),
        errno.ECONNRESET: _BROKEN_OFF,
        errno.ECONNABORTED: _BROKEN_OFF,
        errno.EPIPE: _BROKEN_OFF,
        errno.ENETUNREACH: _UNREACHED,
        errno.EHOSTUNREACH: _UNREACHED,
        errno.ETIMEDOUT: _NO_ANSWER,
    }
)
"""By the number of the system's error."""
_NAMED: Mapping[str, Sentence] = MappingProxyType(
    {
        "SQLITE_FULL": _FULL,
        "SQLITE_READONLY": _READ_ONLY,
        "SQLITE_PERM": _FORBIDDEN,
        "SQLITE_CANTOPEN": Sentence("it cannot be opened there: check the folder and what you may do in it"),
        "SQLITE_IOERR": _UNREADABLE,
        "SQLITE_BUSY": _BUSY,
        "SQLITE_LOCKED": _BUSY,
        "SQLITE_CORRUPT": Sentence("its data are damaged"),
        "SQLITE_NOTADB": Sentence("it is no database"),
    }
)
"""By the name of SQLite's error, without what it has after its second underscore."""
_WORDED: Mapping[str, Sentence] = MappingProxyType(
    {
        "Invalid data found when processing input": Sentence("its data are damaged, or of an unknown kind"),
        "End of file": _TOO_SHORT,
        "Name or service not known": Sentence("no computer has this name: check the address"),
        "Temporary failure in name resolution": _UNREACHED,
        "File is not a zip file": Sentence("it is no ZIP file, or not the whole of one"),
        "Server returned 401 Unauthorized (authorization failed)": Sentence(
            "it asks for a name and a password: check both in the address"
        ),
        "Server returned 403 Forbidden (access denied)": Sentence("it refuses to show its pictures to you"),
        "Server returned 404 Not Found": Sentence("there is nothing at this address: check its end"),
        "Protocol not found": Sentence("addresses of this kind are not opened here: check how it begins"),
    }
)
"""By the English of FFmpeg, of the resolver and of Python's ZIP files, which have no numbers of their own."""

_PLACE = re.compile(r"line (\d+),? column (\d+)")
"""Where a text is no JSON or TOML, as Python's readers of both say it."""


def sentence_of(error: BaseException) -> Sentence:
    """Return what an error says, or what caused it, where that is a sentence or known here; else its text."""
    cause: BaseException | None = error
    while cause is not None:
        if cause.args and isinstance(cause.args[0], Sentence):
            return cause.args[0]
        if (known := _in_own_words(cause)) is not None:
            return known
        cause = cause.__cause__
    text = _text(error)
    return Sentence(text)


def of_file(error: OSError) -> Sentence:
    """Return what an error of the system complains of, with the file that it names."""
    why = sentence_of(error)
    return why if error.filename is None else Sentence("{file}: {why}", file=error.filename, why=why)


def _in_own_words(error: BaseException) -> Sentence | None:
    text = _text(error)
    if isinstance(text, Sentence):
        return text
    if "(at end of document)" in text:
        return _TOO_SHORT
    if place := _PLACE.search(text):
        return Sentence(
            "something else is expected at line {line}, column {column}",
            line=int(place[1]),
            column=int(place[2]),
        )
    if unproven := getattr(error, "verify_message", None):
        return Sentence("the other side cannot prove who it is: {why}", why=unproven)
    name = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
    known = _NAMED.get(name) or _WORDED.get(text)
    # errors of TLS have numbers of their own
    if known is None and isinstance(error, OSError) and type(error).__module__ != "ssl":
        known = _NO_ANSWER if isinstance(error, TimeoutError) else _NUMBERED.get(error.errno or 0)
    return known


def _text(error: BaseException) -> str:
    """Return an error's text, a system's error's without number and file."""
    return getattr(error, "strerror", None) or str(error)
