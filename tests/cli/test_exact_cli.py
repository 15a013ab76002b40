"""`--exact`, `--digits` and `--close` on the command line."""

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from odds.cli.main import app

RUNNER = CliRunner()


def run(*arguments: str) -> dict:
    result = RUNNER.invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refused(*arguments: str) -> str:
    result = RUNNER.invoke(app, list(arguments))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_rtp() -> None:
    data = run("rtp", "classic-blackjack", "--exact")
    exact = data["exact"]
    ev = Fraction(exact["ev"])
    assert float(ev) == pytest.approx(-0.0040996256688059, abs=1e-15)
    assert Fraction(exact["rtp"]) == 1 + ev
    assert exact["certified"] is True
    assert exact["settled_exactly"] == 0
    assert "decimals" not in exact
    by_upcard = {row["upcard"]: Fraction(row["ev"]) for row in exact["by_upcard"]}
    probabilities = {upcard: Fraction(128 if upcard == "T" else 32, 416) for upcard in by_upcard}
    assert sum(probabilities[upcard] * by_upcard[upcard] for upcard in by_upcard) == ev


@pytest.mark.parametrize("digits", [1, 30, 1000])
def test_digits(digits: int) -> None:
    exact = run("rtp", "single-deck", "--exact", "--digits", str(digits))["exact"]
    printed, value = exact["decimals"]["ev"], Fraction(exact["ev"])
    assert len(printed.lstrip("-0.").replace(".", "")) == digits
    assert abs(Fraction(Decimal(printed)) - value) <= abs(value) * Fraction(1, 10 ** (digits - 1))


def test_hand() -> None:
    data = run("hand", "single-deck", "8,9", "A", "--set", "surrender=early", "--exact")
    assert data["exact"]["actions"]["surrender"] == "-1/2"
    assert data["exact"]["surrender_after_peek_scale"] == "-17/66"
    for action, value in data["exact"]["actions"].items():
        assert float(Fraction(value)) == pytest.approx(data["actions"][action], abs=1e-14)


def test_hand_after_a_split() -> None:
    data = run("hand", "eight-deck-s17", "8,3", "6", "--after-split", "8:3", "--exact")
    assert set(data["exact"]["actions"]) == {"stand", "hit", "double"}
    assert float(Fraction(data["exact"]["actions"]["double"])) == pytest.approx(data["actions"]["double"], abs=1e-14)


def test_dealer() -> None:
    data = run("dealer", "vegas-strip-6d-h17", "T", "--set", "dealer_hits_soft_17=false", "--exact")
    exact = data["outcomes"][0]["exact"]
    assert exact["unconditional"]["20"] == "678428375617/1995296009245"
    assert sum(Fraction(p) for p in exact["unconditional"].values()) == 1
    assert sum(Fraction(p) for p in exact["given_no_blackjack"].values()) == 1


def test_close() -> None:
    close = run("show", "face-up-21", "--close", "5", "--split-class", "cdz")["close"]
    assert [(row["player"], row["dealer"], row["exact_gap"], row["tie"]) for row in close[:2]] == [
        ("A,3,4", "7,9", "0", True),
        ("A,3,4", "8,8", "0", True),
    ]
    assert len(close) == 5
    assert "close" not in run("show", "face-up-21")
    assert "tie" in RUNNER.invoke(app, ["show", "face-up-21", "--close", "2"]).stdout


def test_tables_show_fractions() -> None:
    text = RUNNER.invoke(app, ["rtp", "face-up-21", "--exact"], env={"COLUMNS": "80"}).stdout
    assert "Certified" in text
    assert "4 true ties" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    assert (
        "-17/66"
        in RUNNER.invoke(app, ["hand", "single-deck", "8,9", "A", "--set", "surrender=early", "--exact"]).stdout
    )


def test_bad_input() -> None:
    assert "--exact" in refused("rtp", "single-deck", "--digits", "5")
    assert "1 to" in refused("rtp", "single-deck", "--exact", "--digits", "0")
    high = ",".join(["T"] * 16 + ["9", "8"] * 4)
    assert "run out" in refused("rtp", "single-deck", "--exact", "--remove", high)
