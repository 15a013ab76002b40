"""What is installed under which name, and what else the package asks for."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))


def test_the_extra_all_has_what_the_others_have_but_tests() -> None:
    name, extras = PROJECT["project"]["name"], PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    match = re.fullmatch(rf"{name}\[(.*)\]", everything)
    assert match is not None
    assert set(match[1].split(",")) == extras.keys() - {"all", "test"}


def test_all_data_files_are_in_the_package() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]
    listed = {
        path
        for package, globs in patterns.items()
        for glob in globs
        for path in ROOT.joinpath(*package.split(".")).glob(glob)
    }
    there = {path for path in ROOT.joinpath("odds").rglob("*") if path.suffix in (".toml", ".j2", ".pyi", ".typed")}
    assert there - listed == {ROOT / "odds" / "py.typed"} - listed


def test_all_packages_are_installed() -> None:
    found = {".".join(path.parent.relative_to(ROOT).parts) for path in ROOT.joinpath("odds").rglob("__init__.py")}
    assert found == set(PROJECT["tool"]["setuptools"]["packages"])


def test_nobody_is_told_to_install_the_package_of_another_project() -> None:
    """The index has somebody else's project under the name of the import."""
    files = [*ROOT.joinpath("odds").rglob("*.py"), *ROOT.joinpath("docs").glob("*.md"), ROOT / "README.md"]
    for file in files:
        assert not re.search(r"pip install (-\S+ )*['\"]?odds\b", file.read_text(encoding="utf-8")), file
