"""The command `odds sidebet`: its tables, its JSON, and what it says to bad input."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from odds.cli.main import app
from odds.sidebets import load_side_bet, side_bets


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["sidebet", *args], env={"COLUMNS": "80"})


def run_json(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout, parse_constant=lambda text: pytest.fail(f"{text} is not JSON"))
    assert isinstance(data, dict)
    return data


def run_text(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    assert max(map(len, result.stdout.splitlines())) <= 80
    return result.stdout


def test_json() -> None:
    data = run_json("lucky-ladies", "--decks", "6", "--decks", "8")
    assert (data["bet"], data["removed"]) == ("lucky-ladies", "")
    assert "game" not in data
    assert [table["decks"] for table in data["tables"]] == [6, 8]
    table = data["tables"][1]
    assert table["house_edge"] == pytest.approx(0.167326, abs=5e-7)
    assert table["exact"]["ev"] == str(table["exact"]["ev"])
    assert set(table["lines"][0]) == {
        *("name", "pays", "pays_for_one", "combinations", "probability", "one_in", "return")
    }
    assert (table["lines"][0]["pays"], table["lines"][0]["pays_for_one"]) == ("1000", "1001")
    assert table["lines"][0]["one_in"] == pytest.approx(1 / table["lines"][0]["probability"])
    assert table["lines"][-1]["pays_for_one"] == "0"
    assert table["lines"][-1]["pays"] == "-1"
    assert sum(line["return"] for line in table["lines"]) == pytest.approx(table["ev"])


def test_json_of_a_game_starts_with_it() -> None:
    data = run_json("buster", "--game", "face-up-21", "--set", "decks=2")
    assert list(data)[:3] == ["game", "rules", "version"]
    assert data["tables"][0]["decks"] == 2
    assert data["tables"][0]["dealer_hits_soft_17"] is True
    assert run_json("buster", "--set", "dealer_hits_soft_17=true")["tables"][0]["dealer_hits_soft_17"] is True


def test_json_of_everything_at_once() -> None:
    data = run_json("21+3", "--paytable", "all", "--exact", "--symbolic", "--target-rtp", "96.5%", "--solve", "flush")
    assert len(data["tables"]) == len(data["symbolic"]) == 8
    first = data["tables"][0]
    assert first["lines"][0]["exact"]["probability"] == "7/28635"
    assert first["solve"]["pays"] == "5487963/876160"
    assert (first["solve"]["below"]["pays"], first["solve"]["above"]["pays"]) == ("6", "7")
    assert data["symbolic"][0]["limit"]["exact"]["ev"] == "-185/2197"
    assert data["symbolic"][0]["checked_decks"] == list(range(1, 9))


def test_removed_cards() -> None:
    data = run_json("perfect-pairs", "--decks", "1", "--remove", "Qh,Qd", "--remove", "2c")
    assert data["removed"] == "Qh,Qd,2c"
    assert (data["tables"][0]["decks"], data["tables"][0]["cards"]) == (1, 49)
    assert "1 deck without Qh,Qd,2c" in run_text("perfect-pairs", "--decks", "1", "--remove", "Qh,Qd,2c")


def test_the_table() -> None:
    text = run_text("21+3", "--decks", "8")
    assert "Hand              Pays  For one  Combinations  Probability  One in       Return" in text
    assert "Suited trips     100:1      101         2,912   0.00024446   4,091  +0.02444561" in text
    assert "All others          -1        0    10,753,536   0.90273603   1.108  -0.90273603" in text
    assert "Total                              11,912,160   1.00000000          -0.10935515" in text
    assert "House edge 10.9355%, RTP 89.0645%; wins 9.7264% of the time" in text
    assert "Permutations" in run_text("lucky-ladies")


def test_a_line_that_never_comes_is_one_in_nothing() -> None:
    data = run_json("21+3", "--decks", "1")["tables"][0]["lines"]
    assert [line["one_in"] for line in data if not line["combinations"]] == [None]
    assert re.search(r"^Suited trips .* 0.00000000 +- ", run_text("21+3", "--decks", "1"), re.MULTILINE)


def test_several_decks_and_paytables_in_one_table() -> None:
    text = run_text("21+3", "--decks", "1", "--decks", "8", "--paytable", "9", "--paytable", "100-30-20-10-5")
    assert re.search(r"^Paytable +1 deck +8 decks$", text, re.MULTILINE)
    assert re.search(r"^9 +13\.3032% +2\.7360%$", text, re.MULTILINE)
    assert re.search(r"^100-30-20-10-5 +22\.7330% +10\.9355%$", text, re.MULTILINE)


def test_every_paytable_and_number_of_decks_fits_a_terminal() -> None:
    decks = [word for number in (1, 2, 4, 6, 8) for word in ("--decks", str(number))]
    for bet in side_bets():
        rounds = load_side_bet(bet).paytable().plays_round  # of which each takes an analysis
        text = run_text(bet, *decks[: 2 if rounds else None], "--paytable", "all")
        assert max(map(len, text.splitlines())) <= 80
        assert "…" not in text


def test_fractions_formulas_and_pays_in_print() -> None:
    text = run_text("perfect-pairs", "--exact", "--symbolic", "--target-rtp", "1", "--solve", "Mixed pair")
    assert "(d - 25)/(52*d - 1)" in text
    assert "With ever more decks the RTP tends to 101.9231%, the EV to 1/52." in text
    assert "7/415" in text
    assert "For an RTP of 100.0000%" in text
    assert "Mixed pair pays" in text


def test_several_lines_in_a_fixed_ratio() -> None:
    args = ("21+3", "--decks", "6", "--target-rtp", "95%", "--solve", "Flush:1", "--solve", "Straight:2")
    found = run_json(*args)["tables"][0]["solve"]
    assert [line["line"] for line in found["lines"]] == ["Flush", "Straight"]
    assert Fraction(found["lines"][1]["pays"]) == 2 * Fraction(found["pays"])
    assert (found["lines"][1]["below"], found["lines"][1]["above"]) == ("10", "12")
    text = run_text(*args)
    assert re.search(r"^Flush +1 +5 +[0-9.]+ +6$", text, re.MULTILINE)
    assert re.search(r"^Straight +2 +10 +[0-9.]+ +12$", text, re.MULTILINE)
    assert re.search(r"^RTP +[0-9.]+% +95\.000000% +[0-9.]+%$", text, re.MULTILINE)


@pytest.mark.parametrize("columns", [50, 80])
def test_formulas_break_between_terms(columns: int) -> None:
    text = CliRunner().invoke(app, ["sidebet", "bust-it", "--symbolic"], env={"COLUMNS": str(columns)}).stdout
    data = run_json("bust-it", "--symbolic")["symbolic"][0]
    lines = [line.strip() for line in text.partition("As a formula")[2].splitlines()]
    shown = "".join(lines).replace(" ", "")
    for formula in (data["ev"], *(line["probability"] for line in data["lines"])):
        assert formula.replace(" ", "") in shown
        terms = [term for term in re.split(r"[ ()]", formula) if re.search("[0-9]", term)]
        assert all(any(term.strip("*/") in line for line in lines) for term in terms)


def test_latex() -> None:
    data = run_json("21+3", "--symbolic", "--latex")["symbolic"][0]
    assert data["lines"][1]["latex"] == r"\frac{36 d^{2}}{13 \left(26 d - 1\right) \left(52 d - 1\right)}"
    assert data["latex"].startswith(r"- \frac{4 ") or data["latex"].startswith(r"\frac{- 4 ")
    assert data["lines"][1]["latex"] in run_text("21+3", "--symbolic", "--latex")
    assert "\\frac" not in run_text("21+3", "--symbolic")


def test_the_dealers_rule_is_named() -> None:
    text = run_text("buster", "--game", "face-up-21")
    assert "dealer hits soft 17" in text
    assert "Face Up 21" in text
    assert "Dealer " not in run_text("21+3").split("Unit")[0]


def test_a_dealers_rule_that_a_bet_does_not_look_at_is_said() -> None:
    rule, none = (
        ("--set", "dealer_hits_soft_17=true"),
        "note: {} has no effect: the bet does not look at how the dealer",
    )
    assert run("21+3", *rule).stderr.startswith(none.format("dealer_hits_soft_17"))
    assert run("21+3", "--game", "face-up-21", "--decks", "6").stderr.startswith(none.format("--game"))
    assert run("21+3", "--game", "face-up-21").stderr == run("buster", *rule, "--decks", "6").stderr == ""


def test_free_bets() -> None:
    (usual,) = run_json("pot-of-gold", "--decks", "6")["tables"]
    by_game = run_json("pot-of-gold", "--game", "free-bet")
    assert by_game["tables"] == [usual]
    assert usual["lines"][-1]["probability"] == pytest.approx(54104684 / 64546495, abs=1e-15)
    (once,) = run_json("pot-of-gold", "--game", "free-bet", "--set", "resplit_aces=false")["tables"]
    assert once["ev"] < usual["ev"]
    assert once["lines"][-1] == usual["lines"][-1]
    asked = run("pot-of-gold", "--game", "free-bet", "--decks", "6", "--set", "dealer_hits_soft_17=false")
    assert asked.stderr.startswith("note: dealer_hits_soft_17 has no effect: the bet does not look at how the dealer")
    assert "splits of A to 9 are free" in " ".join(asked.stdout.split())
    assert run("21+3", "--set", "free_split=8").stderr.startswith(
        "note: free_split has no effect: the bet does not look at what is free"
    )
    for settings in (("--game", "classic-blackjack"), ("--set", "free_split=none", "--set", "free_double_on=none")):
        refused = run("pot-of-gold", *settings)
        assert refused.exit_code == 2
        assert refused.stderr.startswith("error: the bet counts free bets, and there are none with free_double_on=none")


def test_a_deck_without_ten_spots(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\ntitle = "Own"\nsource = "a leaflet"\n[states]\ndecks = 6\nremoved_ranks = 10\n', encoding="utf-8"
    )
    set_here, by_game = ("--set", "removed_ranks=10"), ("--game", str(path))
    (table,) = run_json("perfect-pairs", *set_here, "--decks", "6")["tables"]
    # Of 287 others 5 are the same card.
    assert (table["cards"], table["lines"][0]["probability"]) == (288, pytest.approx(5 / 287))
    assert run_json("perfect-pairs", *by_game)["tables"] == [table]
    asked = run("perfect-pairs", *by_game, "--decks", "6")
    assert asked.stderr == ""  # its deck has an effect
    assert "no ten-spots in the deck (Spanish deck)" in asked.stdout
    data = run_json("perfect-pairs", *set_here, "--symbolic")
    assert data["removed_ranks"] == "10"
    assert data["symbolic"][0]["lines"][0]["probability"] == "(d - 1)/(48*d - 1)"
    # The four aces of one deck make no 17.
    few = run_json("buster", "--set", "removed_ranks=2,3,4,5,6,7,8,9,10,J,Q,K", "--symbolic")["symbolic"][0]
    assert few["checked_decks"] == list(range(2, 9))


@pytest.mark.parametrize("bet", ["lucky-ladies", "bust-it", "buster-blackjack", "lucky-lucky"])
def test_wide_tables_fit(bet: str) -> None:
    run_text(bet, "--paytable", "all", "--exact", "--symbolic")


def test_the_list_of_side_bets() -> None:
    data = run_json()
    assert "lucky-ladies" in [bet["name"] for bet in data["side_bets"]]
    text = run_text()
    assert "1000-125-19-9-4" in text
    assert "match-the-dealer" in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["lucky-lady"], "unknown side bet 'lucky-lady'; did you mean 'lucky-ladies'?"),
        (["21+3", "--paytable", "x"], "21+3 has no paytable 'x'; those it has are 100-30-20-10-5"),
        (["21+3", "--decks", "0"], "decks: expected a whole number from 1 to 100,000, or infinite, got '0'"),
        (["21+3", "--decks", "abc"], "decks: expected a whole number from 1 to 100,000, or infinite, got 'abc'"),
        (["21+3", "--game", "nowhere"], "unknown game 'nowhere'"),
        (["21+3", "--remove", "Q"], "expected a suit with each card"),
        (["21+3", "--set", "removed_ranks=10", "--remove", "Th"], "cannot take 1 Th out of a shoe with none"),
        (["21+3", "--set", "removed_ranks=1"], "(there is no rank '1')"),
        (
            ["buster", "--set", "removed_ranks=2,3,4,5,6,7,8,9,10,J,Q,K", "--decks", "1", "--symbolic"],
            "the shoe has too few cards for this bet",
        ),
        (["21+3", "--latex"], "--latex: expected --symbolic with it"),
        (["21+3", "--target-rtp", "x", "--solve", "Flush"], "target RTP: expected a number over 0"),
        (["21+3", "--target-rtp", "0.9", "--solve", "Flsh"], "unknown line 'Flsh'; did you mean 'Flush'?"),
        (["21+3", "--target-rtp", "0.1", "--solve", "Flush"], "no pay of 0 or more gives an RTP as low as 0.1"),
        (["21+3", "--target-rtp", "96.5", "--solve", "Flush"], "96.5%"),
        (["none.toml"], "cannot read side bet 'none.toml'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\ntitle = "Own"\ncards = "player"\n'
        '[[lines]]\nname = "Pair"\npays = 11\nwhen = { same = "rank" }\n',
        encoding="utf-8",
    )
    table = run_json(str(path), "--decks", "1")["tables"][0]
    assert table["lines"][0]["combinations"] == 78
    path.write_text(path.read_text(encoding="utf-8").replace("pays = 11", "pays = -2"), encoding="utf-8")
    result = run(str(path))
    assert result.exit_code == 2
    assert f"{path}: lines[1].pays: expected a payout from 0" in result.stderr
