"""What is installed along is known: every package has a hash in the lock file and a licence on the page."""

from importlib.metadata import PackageNotFoundError

from licences import PAGE, licence, locked, needed


def listed() -> dict[str, tuple[str, str]]:
    """Return each package of the page with its licence and who needs it."""
    rows = [line.strip("| \n").split(" | ") for line in PAGE.read_text("utf-8").splitlines()]
    cells = [row for row in rows if len(row) == 3]
    return {name: (licence, by) for name, licence, by in cells[1:]}


def test_every_file_of_every_package_has_a_hash() -> None:
    packages = [package for package in locked().values() if "registry" in package["source"]]
    assert len(packages) > 50
    for package in packages:
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
        assert files, package["name"]
        assert all(file["hash"].startswith("sha256:") for file in files), package["name"]


def test_the_page_lists_what_the_wheel_needs_and_nothing_else() -> None:
    assert {name: by for name, (_, by) in listed().items()} == needed(locked())


def test_the_page_names_the_licence_that_each_package_names() -> None:
    known = {}
    for name, (told, _) in listed().items():
        assert told, name
        try:
            known[name] = licence(name) == told
        except PackageNotFoundError:  # of an extra that is not installed here
            continue
    assert len(known) > 25
    assert all(known.values()), [name for name, same in known.items() if not same]
