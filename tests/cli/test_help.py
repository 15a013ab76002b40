"""Help, its examples, and completion in the shells."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import odds
from odds.cli import main
from odds.cli.commands import COMMANDS, Command
from odds.cli.main import app
from odds.game.fields import FIELDS
from odds.sidebets import side_bets

ROOT = Path(__file__).parents[2]
EXAMPLES = [(command, line) for command in COMMANDS for line in command.examples]
# Too much work for a test of help, or where a command looks for the tables of this project.
LONG = ("odds reconcile", "odds tables", "odds deviations")


def run(*args: str, columns: int = 80, **env: str) -> Result:
    env = {"COLUMNS": str(columns), **env}
    return CliRunner().invoke(app, list(args), env=env, prog_name="odds", terminal_width=columns)


class TestHelp:
    @pytest.mark.parametrize("columns", [60, 80])
    @pytest.mark.parametrize("group", ["", "tables", "new"])
    def test_no_summary_is_cut_off(self, group: str, columns: int) -> None:
        text = run(*group.split(), "--help", columns=columns).stdout
        assert max(map(len, text.splitlines())) <= columns
        assert "..." not in text.replace("[ARGS]...", "")
        for command in COMMANDS:
            if command.name.rpartition(" ")[0] == group:
                assert command.summary in " ".join(text.split())

    @pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
    def test_a_summary_takes_one_line_of_80(self, command: Command) -> None:
        assert len(command.summary) <= 64
        assert command.summary.endswith(".")

    @pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
    def test_each_command_shows_its_examples_as_they_are_typed(self, command: Command) -> None:
        text = run(*command.name.split(), "--help").stdout
        assert command.examples
        for line in command.examples:
            assert f"\n    {line}\n" in text


class TestExamples:
    @pytest.mark.parametrize(("command", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
    def test_can_be_read(self, command: Command, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[object] = []
        load = main.load

        class Answers:
            def __getattr__(self, word: str) -> object:
                return asked.append

        monkeypatch.setattr(
            main, "load", lambda module: load(module) if module in ("questions", "checks") else Answers()
        )
        assert run(*shlex.split(line)[1:]).exit_code == 0
        if command.module:
            assert [type(question).__name__ for question in asked] == [command.question]

    @pytest.mark.parametrize("line", [line for _, line in EXAMPLES if not line.startswith(LONG)])
    def test_run(self, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
        monkeypatch.chdir(tmp_path)
        result = run(*shlex.split(line)[1:])
        assert result.exit_code == 0, result.stderr


def complete(line: str) -> list[str]:
    """Return what bash is offered at the end of a line, whose words it parts at equals signs too."""
    words = [word for part in line.split(" ") for word in part.replace("=", "\0=\0").split("\0")]
    words = [word for place, word in enumerate(words) if word or place == len(words) - 1]
    if words[-1] == "" and line.endswith("="):
        words.pop()
    env = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1), "_ODDS_COMPLETE": "complete_bash"}
    return run(**env).stdout.split()


class TestCompletion:
    def test_of_commands(self) -> None:
        assert complete("odds r") == ["rtp", "reconcile", "rules"]
        assert complete("odds tables ") == ["build", "check"]

    @pytest.mark.parametrize("line", ["rtp", "show", "dealer", "fill help.txt", "new strategy mine.csv --game"])
    def test_of_games(self, line: str) -> None:
        assert complete(f"odds {line} ") == list(odds.games())
        assert complete(f"odds {line} face") == ["face-up-21"]
        assert complete(f"odds {line} ./mine") == []  # the shell completes files then

    def test_of_side_bets(self) -> None:
        assert complete("odds sidebet ") == list(side_bets())
        assert complete("odds simulate single-deck --side-bet lucky") == ["lucky-ladies", "lucky-lucky", "lucky-stiff"]

    def test_of_rules(self) -> None:
        assert complete("odds rules ") == list(FIELDS)
        assert complete("odds rtp single-deck --set ") == [f"{name}=" for name in FIELDS]
        assert complete("odds rtp --set dealer_h") == ["dealer_hits_soft_17=true", "dealer_hits_soft_17=false"]
        assert complete("odds rtp --set nope=") == []

    def test_of_values_in_bash_which_parts_them_from_the_rule(self) -> None:
        assert complete("odds rtp --set surrender=") == ["none", "late", "early", "early-vs-ten"]
        assert complete("odds rtp --set surrender=ea") == ["early", "early-vs-ten"]
        assert complete("odds rtp --set decks=6 --set surrender=l") == ["late"]
        assert complete("odds rtp --set=surrender=l") == ["late"]
        assert complete("odds rtp --set=surrender_r") == ["surrender_returns=", "surrender_returns=1/2"]

    def test_after_a_setting(self) -> None:
        assert complete("odds rtp --set decks=6 sing") == ["single-deck"]

    @pytest.mark.parametrize("shell", ["zsh", "fish"])
    def test_in_other_shells(self, shell: str) -> None:
        env = {"_ODDS_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        assert "single-deck" in run(**env, _TYPER_COMPLETE_ARGS="odds rtp sing").stdout
        assert "surrender=late" in run(**env, _TYPER_COMPLETE_ARGS="odds rtp --set surrender=").stdout
        assert "reconcile" in run(**env, _TYPER_COMPLETE_ARGS="odds rec").stdout

    @pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
    def test_script_for_bash_is_valid(self) -> None:
        env = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": ""}
        script = run("--show-completion", **env).stdout or run(_ODDS_COMPLETE="source_bash").stdout
        checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")
        assert "_ODDS_COMPLETE=complete_bash" in run(_ODDS_COMPLETE="source_bash").stdout
