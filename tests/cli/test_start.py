"""What a start of the command or of the library imports: no more than it needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import odds
from odds._kernel import versions
from odds.cli import questions
from odds.cli.commands import COMMANDS, load
from odds.engine import split_classes

# To compute and to print with; only commands that do so need them.
_WORK = {"numpy", "rich", "odds._kernel", "odds._simulator", "multiprocessing", "concurrent.futures"}
# For some options of some commands.
_EXTRAS = {"sympy", "matplotlib", "jinja2", "mpmath"}


def _imported(code: str) -> set[str]:
    """Return the modules that a new process has imported when it is through with some code."""
    shown = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    run = subprocess.run([sys.executable, "-c", f"{shown}\n{code}"], capture_output=True, text=True, check=True)
    return set(run.stderr.split())


def _imported_by(*args: str) -> set[str]:
    return _imported(f"from odds.cli.main import main; main({list(args)})")


class TestImports:
    @pytest.mark.parametrize("args", [("--help",), ("--version",), (), ("rtp", "--help"), ("tables", "--help")])
    def test_help_and_version_do_without_what_computes_and_prints(self, args):
        found = _imported_by(*args)
        assert "odds.cli.main" in found
        assert not found & (_WORK | _EXTRAS)

    @pytest.mark.parametrize("game", ["classic-blackjack", "face-up-21"])
    def test_rtp_does_without_what_other_commands_need(self, game):
        found = _imported_by("rtp", game)
        assert "odds.results.round" in found
        assert not found & (
            _EXTRAS | {"odds.strategy.search", "odds.referee.simulate", "odds.tables", "multiprocessing"}
        )

    def test_the_library_imports_nothing_until_it_is_used(self):
        found = _imported("import odds; odds.__version__")
        assert {name for name in found if name.startswith("odds.")} == set()
        assert not found & (_WORK | _EXTRAS)


class TestNamesOfTheLibrary:
    def test_all_are_there(self):
        for name in odds.__all__:
            assert getattr(odds, name) is not None
        assert set(odds.__all__) <= set(dir(odds))

    def test_the_table_of_modules_has_them_all(self):
        assert {"__version__", *odds._MODULE_OF} == set(odds.__all__)

    def test_no_other_name_is(self):
        with pytest.raises(AttributeError, match="module 'odds' has no attribute 'nosuch'"):
            _ = odds.nosuch

    def test_a_star_imports_them(self):
        names: dict[str, object] = {}
        exec("from odds import *", names)
        assert names["analyze"] is odds.analyze

    def test_the_example_of_the_readme_runs_as_it_is_written(self):
        readme = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
        code = readme.split("```python\n")[1].split("```")[0]
        names: dict[str, object] = {}
        exec(code, names)
        rules = odds.load_game("face-up-21").rules
        assert odds.dealer_distribution(odds.Shoe.of_decks(8).without("T"), "T", rules).start == "T"
        assert len(repr(names["result"])) < 3000


class TestTableOfCommands:
    @pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
    def test_each_has_a_question_and_a_function_that_answers(self, command):
        if command.module:
            assert issubclass(getattr(questions, command.question), tuple)
            assert callable(getattr(load(command.module), command.word))
        else:
            assert any(other.name.startswith(f"{command.name} ") for other in COMMANDS)

    def test_no_question_is_without_a_command(self):
        asked = [
            name
            for name, value in vars(questions).items()
            if isinstance(value, type) and value.__module__ == questions.__name__
        ]
        assert sorted(asked) == sorted(command.question for command in COMMANDS if command.module)


class TestVersionOfTheKernel:
    """The environment names the version of the hot loops that the kernel is to start with."""

    def _run(self, name: str, *args: str) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "ODDS_KERNEL": name}
        return subprocess.run([sys.executable, *args], env=environment, capture_output=True, text=True, check=False)

    def test_is_the_best_if_none_is_named(self):
        best = versions()[0]
        assert self._run("", "-c", "from odds._kernel import version; print(version())").stdout == f"{best}\n"

    @pytest.mark.parametrize("name", versions())
    def test_is_the_one_named(self, name):
        assert self._run(name, "-c", "from odds._kernel import version; print(version())").stdout == f"{name}\n"

    def test_that_is_not_there_is_one_clear_line(self):
        run = self._run("sse9", "-m", "odds", "rtp", "classic-blackjack")
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr == f"error: ODDS_KERNEL: expected {' or '.join(versions())} on this processor, got 'sse9'\n"

    def test_that_is_not_there_does_not_matter_to_what_computes_nothing(self):
        assert self._run("sse9", "-m", "odds", "--help").returncode == 0


def test_the_default_split_class_of_the_commands_is_that_of_the_engine():
    assert questions.DEFAULT_SPLIT_CLASS == split_classes.DEFAULT_SPLIT_CLASS
