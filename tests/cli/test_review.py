"""Things that once went wrong and belong to no single module."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import odds
from odds.cli.main import app
from odds.errors import ShoeError, StrategyError
from odds.strategy.table import Strategy, uniform

RUNNER = CliRunner()
SMALL = ",".join(f"{rank}" for rank in "A23456789" for _ in range(4))


def refused(*arguments: str) -> str:
    result = RUNNER.invoke(app, list(arguments))
    assert result.exit_code == 2, result.stdout
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.mark.parametrize(("tens", "hands"), [(8, 4), (4, 2), (4, 4)])
def test_tens_against_tens_do_not_win(tens: int, hands: int) -> None:
    """Nothing but tens: every round is 20 against 20, and the shoe has no second card for every hand of a split."""
    shoe = odds.Shoe.of_counts({"T": tens})
    with pytest.raises(ShoeError, match="too small to split T,T"):
        odds.analyze(odds.Rules(max_hands=hands), shoe=shoe)
    assert odds.analyze(odds.Rules(max_hands=1, double_on="none"), shoe=shoe).ev == 0
    removed = SMALL + ",T" * (16 - tens)
    message = refused("rtp", "single-deck", "--remove", removed, "--set", f"max_hands={hands}")
    assert "too small to split T,T" in message


def test_a_shoe_of_one_result_is_judged() -> None:
    """Where every round nets the same, the referee compares that with the computed EV and not with a z of nothing."""
    removed = SMALL + ",T" * 8
    arguments = ["simulate", "single-deck", "--remove", removed, "--rounds", "20000", "--seed", "1", "--json"]
    result = RUNNER.invoke(app, [*arguments, "--set", "max_hands=1", "--set", "double_on=none"])
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert (data["mean"], data["exact_ev"], data["agrees"]) == (0, 0, True)


@pytest.mark.parametrize("precision", ["1e-300", "1e-13", "0", "1", "nan"])
def test_precisions_out_of_range(precision: str) -> None:
    assert "precision" in refused("confidence", "single-deck", "--precision", precision)


def test_a_strategy_that_does_not_fit_is_named() -> None:
    strategy = uniform(odds.Rules(), "mine.csv", {"hard": 17, "soft": 17})
    with pytest.raises(StrategyError, match=r"^mine\.csv: expected a column"):
        strategy.check(odds.load_game("face-up-21").rules)
    codes = {place: cells for place, cells in strategy.codes.items() if place != ("hard", "8")}
    with pytest.raises(StrategyError, match=r"^mine\.csv: missing row: hard 8"):
        Strategy(strategy.columns, codes, name="mine.csv").check(odds.Rules())


def test_a_cost_is_of_a_code_that_does_something_else() -> None:
    data = json.loads(RUNNER.invoke(app, ["chart", "classic-blackjack", "--json"]).stdout)
    costs = [cell["cost"] for cell in data["cells"] if cell["cost"] is not None]
    assert len(costs) > 300
    assert min(costs) > 0
    assert all((cell["other"] is None) == (cell["cost"] is None) for cell in data["cells"])


def test_a_chart_has_the_format_of_its_name(tmp_path: Path) -> None:
    assert "--format" in refused("chart", "classic-blackjack", "--out", str(tmp_path / "x.xyz"))
    assert "json" in refused("chart", "classic-blackjack", "--out", str(tmp_path / "x.json"), "--format", "csv")
    assert not list(tmp_path.iterdir())


def test_a_target_return_is_not_a_percentage_without_its_sign() -> None:
    assert "96.5%" in refused("sidebet", "21+3", "--target-rtp", "96.5", "--solve", "Flush")


@pytest.mark.parametrize("game", ["classic-blackjack", pytest.param("face-up-21", marks=pytest.mark.slow)])
def test_effects_of_removal_fit_a_terminal(game: str) -> None:
    text = RUNNER.invoke(app, ["deviations", game, "--cells", "3"], env={"COLUMNS": "80"}).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_the_library_as_the_readme_has_it() -> None:
    """Every line of the Python example runs as it is written."""
    readme = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
    code = readme.split("```python\n")[1].split("```")[0]
    names: dict[str, object] = {}
    exec(code, names)
    rules = odds.load_game("face-up-21").rules
    assert odds.dealer_distribution(odds.Shoe.of_decks(8).without("T"), "T", rules).start == "T"
    assert len(repr(names["result"])) < 3000
