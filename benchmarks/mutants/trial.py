"""Tests that run in a forked process, with one module changed as it is imported."""

from __future__ import annotations

import io
import multiprocessing
import os
import pickle
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

import coverage
import pytest
from hypothesis import Phase, settings

from benchmarks.mutants.mutation import ROOT, Mutant

SHORTEST_S, TIMES = 20.0, 10
"""A trial that takes so long, and so many times as long as without a change, hangs, and was noticed."""
MEMORY = 6 << 30
"""Bytes of addresses: a mutant that gathers without end must not take the machine with it."""
Lines = Mapping[str, Mapping[int, Sequence[str]]]
"""Which tests ran a line, by the module's path."""


@dataclass(frozen=True)
class Baseline:
    """What the tests of a scope do without any change.

    Attributes
    ----------
    passed : whether all of them pass.
    seconds : how long each took, by its id.
    lines : the tests that ran each line.
    """

    passed: bool
    seconds: Mapping[str, float]
    lines: Lines

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests that may notice a mutant, the shortest first.

        They are those that ran its lines. Lines that run on import concern every test of the scope; those
        that ran anything else of the module come first.
        """
        lines = self.lines.get(str(mutant.path), {})
        own = {test for line in range(mutant.line, mutant.last_line + 1) for test in lines.get(line, ())}
        if own and "" not in own:
            return sorted(own, key=self.seconds.__getitem__)
        near = {test for tests in lines.values() for test in tests}
        return sorted(self.seconds, key=lambda test: (test not in near, self.seconds[test]))


class _Steady:
    """A plugin: the same examples in every run, none kept, none made smaller."""

    def pytest_configure(self) -> None:
        settings.register_profile(
            "mutants",
            parent=settings.get_profile("shinpan"),
            database=None,
            derandomize=True,
            phases=(Phase.explicit, Phase.generate),
        )
        settings.load_profile("mutants")


class _Ran(_Steady):
    """A plugin that notes which test runs which lines, and for how long."""

    def __init__(self, cover: coverage.Coverage) -> None:
        self._cover = cover
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._cover.switch_context(item.nodeid)
        begun_s = time.perf_counter()
        done = yield
        self.seconds[item.nodeid] = time.perf_counter() - begun_s
        self._cover.switch_context("")
        return done


class _Loader(SourceFileLoader):
    """Loads a module as a mutant has it."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(ROOT / mutant.path))
        self._text = mutant.applied()

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        return compile(self._text, self.path, "exec")


class _Changed(MetaPathFinder):
    """Finds one module as a mutant has it."""

    def __init__(self, mutant: Mutant) -> None:
        self._name, self._loader = mutant.module, _Loader(mutant)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        return spec_from_file_location(fullname, self._loader.path, loader=self._loader)


def _pytest(words: Sequence[str], plugin: _Steady) -> int:
    quiet = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not live and not browser"]
    quiet += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is here before pytest
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        return int(pytest.main([*quiet, *words], plugins=[plugin]))


def baseline(folders: Sequence[str], tests: Sequence[str], cache: Path) -> Baseline:
    """Run the tests of some folders or files, and note which of them run which lines of `folders`.

    What was noted lies in `cache` for as long as neither the code nor the tests change.
    """
    digest = sha256()
    for path in sorted(each for name in (*folders, *tests) for each in _modules(ROOT / name)):
        digest.update(f"{path} {path.stat().st_size}\n".encode() + path.read_bytes())
    kept = cache / f"mutants-{digest.hexdigest()[:16]}.pickle"
    if not kept.is_file():
        cache.mkdir(exist_ok=True)
        process = multiprocessing.get_context("fork").Process(target=_noted, args=(folders, tests, kept))
        process.start()
        process.join()
    found = pickle.loads(kept.read_bytes())
    assert isinstance(found, Baseline)
    return found


def _modules(path: Path) -> Iterator[Path]:
    yield from path.rglob("*.py") if path.is_dir() else (path,)


def _noted(folders: Sequence[str], tests: Sequence[str], path: Path) -> None:
    source = [str(ROOT / each) for each in folders]
    cover = coverage.Coverage(data_file=None, source=source, config_file=False)
    ran = _Ran(cover)
    cover.start()
    code = _pytest(tests, ran)
    cover.stop()
    data = cover.get_data()
    lines = {
        str(Path(module).relative_to(ROOT)): data.contexts_by_lineno(module)
        for module in data.measured_files()
    }
    path.write_bytes(pickle.dumps(Baseline(code == 0, ran.seconds, lines)))


class _Trials(_Steady):
    """A plugin that forks for every mutant once pytest has started and before it imports any test."""

    def __init__(self, mutants: Sequence[Mutant], known: Baseline, tell: Callable[[Mutant], None]) -> None:
        self._mutants, self._known, self._tell = mutants, known, tell
        self.is_trial = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool | None:
        for mutant in self._mutants:
            tests = self._known.tests(mutant)
            process = os.fork() if tests else None
            if process == 0:
                self.is_trial = True
                _change(mutant)
                session.config.args = tests
                return None
            longest_s = SHORTEST_S + TIMES * sum(self._known.seconds[test] for test in tests)
            if process is None or _code(process, longest_s) == 0:
                self._tell(mutant)
        return True


def _change(mutant: Mutant) -> None:
    """Let this process import a mutant, whatever it has imported so far."""
    for name in [name for name in sys.modules if name.partition(".")[0] == mutant.path.parts[0]]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Changed(mutant))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _code(process: int, longest_s: float) -> int:
    """Return the exit code of a child that is given so long."""
    handle = os.pidfd_open(process)
    try:
        if not select.select([handle], [], [], longest_s)[0]:
            os.kill(process, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    finally:
        os.close(handle)


def try_all(
    mutants: Sequence[Mutant], known: Baseline, tests: Sequence[str], survives: Callable[[Mutant], None]
) -> None:
    """Run the tests that may notice it with each mutant, and tell which mutants survive."""
    trials = _Trials(mutants, known, survives)
    code = _pytest(tests, trials)
    if trials.is_trial:
        os._exit(code)
