"""The command line: what it prints, its JSON, and what it says to bad input."""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import odds
from odds.cli.main import app
from odds.files import write_file
from odds.game.fields import FIELDS
from odds.numbers.decimals import agreement
from odds.report import common
from odds.report.rules_page import favours

DECK = ",".join("A23456789TJQK" * 4)
MINIMAL = 'name = "own"\ntitle = "Own"\nsource = "me"\n'


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12, rel=0)


def run(*args: str, columns: int = 80) -> Result:
    return CliRunner().invoke(app, list(args), env={"COLUMNS": str(columns)})


def run_json(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout, parse_constant=lambda text: pytest.fail(f"{text} is not JSON"))
    assert isinstance(data, dict)
    return data


def run_text(*args: str, columns: int = 80) -> str:
    result = run(*args, columns=columns)
    assert result.exit_code == 0, result.stderr
    assert "\x1b" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= columns
    return result.stdout


def run_process(*args: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "odds", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **options)


def words(text: str) -> str:
    return " ".join(text.split())


class TestJson:
    @pytest.mark.parametrize(
        "command",
        [
            ["show", "face-up-21"],
            ["rtp", "classic-blackjack"],
            ["hand", "classic-blackjack", "8,8", "T"],
            ["dealer", "face-up-21"],
            ["chart", "classic-blackjack"],
        ],
    )
    def test_every_object_of_a_game_starts_alike(self, command: list[str]) -> None:
        data = run_json(*command)
        assert list(data)[:3] == ["game", "rules", "version"]
        assert data["game"] == command[1]
        assert list(data["rules"]) == list(FIELDS)
        assert data["version"] == odds.__version__
        assert data["rules"]["blackjack_pays"] in ("1", "3/2")

    def test_games(self) -> None:
        data = run_json("games")
        assert [item["game"] for item in data["games"]] == list(odds.games())
        for item in data["games"]:
            assert list(item)[:3] == ["game", "rules", "version"]
            assert item["rtp"] == close(1 + item["ev"])
            assert 0.97 < item["rtp"] < 1.01
        by_name = {item["game"]: item for item in data["games"]}
        assert by_name["face-up-21"]["published_rtp"] == "99.15%"
        assert by_name["classic-blackjack"]["published_rtp"] is None

    def test_rtp_of_classic_blackjack(self) -> None:
        data = run_json("rtp", "classic-blackjack", "--split-class", "cdz")
        assert data["ev"] == close(-0.0040996256688059)
        assert data["rtp"] == close(1 + data["ev"])
        assert data["house_edge"] == -data["ev"]
        assert data["ev_per_total_wager"] == close(data["ev"] / data["average_wager"])
        assert (data["play"], data["split_class"]) == ("composition", "cdz")
        # House edges published for eight decks: 16.7326 % and 10.9355 %.
        assert {bet["name"]: round(100 - 100 * bet["rtp"], 4) for bet in data["side_bets"]} == {
            "lucky-ladies": 16.7326,
            "21+3": 10.9355,
        }
        assert data["shoe_can_run_out"] is False
        assert data["warnings"] == []
        rows = data["by_upcard"]
        assert [row["upcard"] for row in rows] == list("A23456789T")
        assert math.fsum(row["probability"] for row in rows) == close(1)
        assert math.fsum(r["probability"] * r["ev"] for r in rows) == close(data["ev"])
        assert rows[0]["ev"] == close(-0.3401165028104116)

    def test_rtp_of_an_exposed_game_has_55_starts(self) -> None:
        data = run_json("rtp", "face-up-21")
        assert data["ev"] == close(-0.011488818569812)
        assert data["split_class"] == "cdp1"
        assert len(data["by_upcard"]) == 55
        assert data["insurance"] is None
        assert data["side_bets"] == []
        assert data["published"] == {"rtp": "99.15%", "matches": None, "matches_per_total_wager": None}

    def test_published_figures_are_not_of_changed_rules(self) -> None:
        assert run_json("rtp", "face-up-21", "--set", "max_hands=3")["published"] is None
        assert run_json("rtp", "face-up-21", "--remove", "A")["published"] is None
        published = run_json("rtp", "vegas-strip")["published"]
        assert published == {"rtp": "99.473%", "matches": "rounded", "matches_per_total_wager": None}

    def test_insurance_by_tens_in_hand(self) -> None:
        insurance = run_json("rtp", "classic-blackjack")["insurance"]
        assert insurance["per"] == "unit insured"
        assert insurance["ev"] == close(-31 / 415)
        expected = {"0": -29 / 413, "1": -32 / 413, "2": -35 / 413}
        assert insurance["by_tens_in_hand"] == close(expected)

    def test_insurance_against_a_ten(self) -> None:
        asked = ("--set", "insurance=ace,ten")
        data = run_json("rtp", "classic-blackjack", *asked)
        usual = run_json("rtp", "classic-blackjack")
        assert (data["insurance"], data["ev"]) == (usual["insurance"], usual["ev"])
        assert "insurance_against_ten" not in usual
        insured = data["insurance_against_ten"]
        assert list(insured) == ["ev", "per", "by_aces_in_hand"]
        assert (insured["ev"], insured["per"]) == (close(3 * 32 / 415 - 1), "unit insured")
        expected = {"0": 3 * 32 / 413 - 1, "1": 3 * 31 / 413 - 1, "2": 3 * 30 / 413 - 1}
        assert insured["by_aces_in_hand"] == close(expected)
        hand = run_json("hand", "classic-blackjack", "A,K", "T", *asked)
        assert hand["insurance"] == {"ev": close(3 * 31 / 413 - 1), "per": "unit insured"}
        assert "even_money" not in hand["actions"]
        text = words(run_text("rtp", "classic-blackjack", *asked))
        assert "Insurance against a ten Player's cards EV per unit insured Exactly" in text
        assert "1 ace -0.77481840 -320/413" in text

    def test_set_and_remove(self) -> None:
        data = run_json(
            "rtp", "classic-blackjack", "--set", "peek_under=T", "--set", "dealer_blackjack_takes=all",
            "--split-class", "cdz",
        )  # fmt: skip
        assert data["rules"]["peek_under"] == "T"
        assert data["ev"] == close(-0.004175553720668)
        removed = run_json("rtp", "classic-blackjack", "--remove", "5,5", "--remove", "K♥")
        assert removed["removed"] == "2x5,Kh"
        assert removed["by_upcard"][4]["probability"] == close(30 / 413)

    def test_hand_after_a_peek(self) -> None:
        data = run_json("hand", "classic-blackjack", "8,8", "T", "--split-class", "cdz")
        expected = {
            "stand": -0.537751734473, "hit": -0.536485015163, "double": -1.072970030326,
            "split": -0.484777891536, "surrender": -0.5,
        }  # fmt: skip
        assert data["actions"] == pytest.approx(expected, abs=1e-11, rel=0)
        assert data["best"] == "split"
        assert data["given_no_dealer_blackjack"] is True
        assert (data["player"], data["dealer"], data["split_class"]) == ("8,8", "T", "cdz")
        assert "insurance" not in data

    def test_hand_against_an_ace_and_blackjack(self) -> None:
        data = run_json("hand", "classic-blackjack", "A,K", "A")
        assert data["actions"] == {"stand": 1.5, "even_money": 1.0}
        assert data["insurance"] == {"ev": close(-32 / 413), "per": "unit insured"}

    def test_early_surrender_has_both_scales(self) -> None:
        data = run_json("hand", "classic-blackjack", "T,6", "A", "--set", "surrender=early")
        p = 127 / 413
        assert data["actions"]["surrender"] == -0.5
        assert data["surrender_after_peek_scale"] == close((-0.5 + p) / (1 - p))
        assert data["best"] == "surrender"

    def test_hand_after_a_split(self) -> None:
        data = run_json("hand", "single-deck", "3,8", "6", "--after-split", "8:3")
        assert data["after_split"] == "8:3"
        assert "split" not in data["actions"]
        assert "surrender" not in data["actions"]

    def test_removed_cards_count_in_a_hand(self) -> None:
        full = run_json("hand", "single-deck", "T,2", "4")
        fewer_tens = run_json("hand", "single-deck", "T,2", "4", "--remove", "T,J,Q,K")
        assert full["best"] == "hit"
        assert fewer_tens["actions"]["hit"] > full["actions"]["hit"]

    def test_dealer(self) -> None:
        outcomes = run_json("dealer", "classic-blackjack")["outcomes"]
        assert [item["upcard"] for item in outcomes] == list("A23456789T")
        ten = outcomes[-1]
        expected = {
            "17": 0.11179124686266535, "18": 0.1116077037347673, "19": 0.11181384662149586,
            "20": 0.34056026312387316, "21": 0.03473793600149009, "blackjack": 0.07710843373493977,
            "bust": 0.21238056992076845,
        }  # fmt: skip
        assert ten["unconditional"] == pytest.approx(expected, abs=1e-14, rel=0)
        given = dict(ten["given_no_blackjack"])
        assert list(given) == ["17", "18", "19", "20", "21", "bust"]
        assert given["20"] == pytest.approx(0.3690143843248234, abs=1e-14, rel=0)
        assert outcomes[4]["given_no_blackjack"] is None

    def test_dealer_whose_22_pushes(self) -> None:
        """What is a bust otherwise is 22 or more; nothing else changes."""
        (ten,) = run_json("dealer", "classic-blackjack", "T")["outcomes"]
        (told,) = run_json("dealer", "classic-blackjack", "T", "--set", "dealer_22=push")["outcomes"]
        assert list(told["unconditional"]) == ["17", "18", "19", "20", "21", "22", "blackjack", "bust"]
        for scale in ("unconditional", "given_no_blackjack"):
            found = dict(told[scale])
            found["bust"] += found.pop("22")
            assert found == pytest.approx(ten[scale], abs=1e-15, rel=0)
        text = words(run_text("dealer", "classic-blackjack", "--set", "dealer_22=push"))
        assert "A bust is more than 22." in text

    def test_dealer_with_both_cards_seen(self) -> None:
        outcomes = run_json("dealer", "face-up-21")["outcomes"]
        assert len(outcomes) == 55
        assert run_json("dealer", "face-up-21", "A,6")["outcomes"] == [
            item for item in outcomes if item["upcard"] == "A,6"
        ]
        for item in outcomes:
            assert math.fsum(item["unconditional"].values()) == close(1)

    def test_show_says_of_every_rule_how_it_is_known(self) -> None:
        data = run_json("show", "face-up-21", "--set", "blackjack_pays=3/2")
        details = {item["field"]: item for item in data["rule_details"]}
        assert list(details) == list(FIELDS)
        assert details["blackjack_pays"]["status"] == "set"
        assert details["blackjack_pays"]["source_status"] == "open"
        assert details["blackjack_pays"]["readings"] == ["1", "3/2"]
        assert details["decks"]["status"] == "states"
        assert details["max_hands"]["status"] == "varies"
        assert details["surrender"]["status"] == "assumed"
        assert data["published"]["rtp"] == "99.15%"

    def test_a_game_file(self, tmp_path: Path) -> None:
        path = tmp_path / "own.toml"
        path.write_text(MINIMAL + "[states]\ndecks = 6\n", encoding="utf-8")
        data = run_json("rtp", str(path), "--set", "max_hands=4", "--split-class", "cdz")
        assert (data["game"], data["rules"]["decks"]) == ("own", 6)
        assert data["ev"] == close(-0.0040287023611541)


class TestTables:
    def test_rtp(self) -> None:
        text = run_text("rtp", "classic-blackjack")
        assert "Blackjack with Lucky Ladies and 21+3 (classic-blackjack)" in text
        for part in (
            "late surrender (LS)", "cdp1: re-optimised", "initial wager", "-0.0040996257", "99.59004%", "0.40996%",
            "-29/413", "1.12774116", "16.7326%", "10.9355%",
        ):  # fmt: skip
            assert part in words(text)

    def test_rtp_of_an_exposed_game_is_grouped_by_total(self) -> None:
        text = run_text("rtp", "face-up-21")
        assert re.search(r"^hard 16 +6\.5060% +\+0\.48466948$", text, re.MULTILINE)
        assert "each weighted by its probability" in words(text)
        assert "differs from the computed 98.8511%" in words(text)

    def test_rtp_says_whether_it_agrees(self) -> None:
        assert "99.473% (from a house edge of 0.527%); agrees" in words(run_text("rtp", "vegas-strip"))
        changed = words(run_text("rtp", "vegas-strip", "--set", "decks=8"))
        assert "not for what is set here" in changed
        assert "Set here 8 decks" in changed

    def test_games(self) -> None:
        text = run_text("games")
        assert all(name in text for name in odds.games())
        assert "cdp1" in text

    def test_show(self) -> None:
        text = run_text("show", "face-up-21")
        assert re.search(r"^dealer hits soft 17 +H17 +dealer +stated +\*$", text, re.MULTILINE)
        assert re.search(r"^blackjack pays 1:1 +dealer +open +\*$", text, re.MULTILINE)
        assert "RTP 99.15%" in text
        changed = words(run_text("show", "face-up-21", "--set", "dealer_hits_soft_17=no"))
        assert "set here: dealer stands on soft 17; without that, the source states: dealer hits soft 17" in changed

    def test_hand(self) -> None:
        text = run_text("hand", "classic-blackjack", "8,8", "T")
        actions = re.findall(r"^(stand|hit|double|split|surrender) +([-+]0\.\d{10}|-1\.\d{10})", text, re.MULTILINE)
        assert [action for action, _ in actions] == ["split", "surrender", "hit", "stand", "double"]
        assert "no dealer blackjack: he has looked" in words(text)

    def test_hand_with_early_surrender_is_placed_by_comparable_values(self) -> None:
        text = run_text("hand", "classic-blackjack", "T,6", "A", "--set", "surrender=early")
        assert re.search(r"^surrender +-0\.5000000000$", text, re.MULTILINE)
        assert re.search(r"^hit +-0\.5161388131 +0\.2381667851$", text, re.MULTILINE)

    def test_hand_without_a_peek_says_so(self) -> None:
        text = run_text("hand", "european-6d", "T,6", "T")
        assert "nothing about a dealer blackjack" in words(text)

    def test_dealer(self) -> None:
        text = run_text("dealer", "classic-blackjack")
        assert re.search(r"^T +11\.1791 +11\.1608 +11\.1814 +34\.0560 +3\.4738 +7\.7108 +21\.2381$", text, re.MULTILINE)
        assert "Given no dealer blackjack" in text
        exposed = run_text("dealer", "face-up-21")
        assert re.search(r"^BJ .* 100\.0000 +0\.0000$", exposed, re.MULTILINE)

    @pytest.mark.parametrize("columns", [80, 100, 132])
    def test_tables_fit(self, columns: int) -> None:
        for command in (["rtp", "face-up-21"], ["show", "classic-blackjack"], ["dealer", "face-up-21"]):
            run_text(*command, columns=columns)
        assert "…" not in run_text("dealer", "face-up-21", "--set", "dealer_22=push", columns=columns)

    def test_help_and_version(self) -> None:
        assert run("--version").stdout == f"odds {odds.__version__}\n"
        text = run().stdout
        assert all(name in text for name in ("games", "show", "rtp", "hand", "dealer", "chart"))
        assert "--split-class" in run("rtp", "--help").stdout


class TestWarnings:
    SMALL = ",".join([*"A" * 4, *"5" * 4, *"6" * 4, *"8" * 4, *"9" * 4, *"22", *"33", *"44", *"77", *"TJQKTJQ"])

    def test_a_shoe_that_can_run_out(self) -> None:
        result = run("rtp", "single-deck", "--remove", self.SMALL, "--json")
        data = json.loads(result.stdout)
        assert data["shoe_can_run_out"] is True
        assert data["warnings"] == [common.RUN_OUT_WARNING]
        assert result.stderr == f"warning: {common.RUN_OUT_WARNING}\n"

    NOTE = "note: hit_split_aces has no effect with max_hands=1\n"
    SETTINGS = ("--set", "hit_split_aces=true", "--set", "max_hands=1", "--set", "decks=1")

    @pytest.mark.parametrize(
        "command", [["rtp"], ["show"], ["hand", "8,8", "T"], ["dealer"], ["chart"], ["fill"]], ids=" ".join
    )
    def test_a_rule_that_is_set_without_effect(self, command: list[str], tmp_path: Path) -> None:
        name, *rest = command
        (tmp_path / "text.txt").write_text("{rtp}", encoding="utf-8")
        args = [*([str(tmp_path / "text.txt")] if name == "fill" else []), "classic-blackjack", *rest]
        result = run(name, *args, *self.SETTINGS)
        assert (result.exit_code, result.stderr) == (0, self.NOTE)

    def test_a_bonus_of_the_game_that_is_never_paid_with_the_decks_that_are_set(self) -> None:
        unpaid = "note: bonuses: 'ranks=7,7,7 suits=same pays=2' can never be paid: "
        assert run("show", "spanish-21", "--set", "decks=2").stderr.startswith(unpaid)
        assert run("show", "spanish-21", "--set", "decks=3").stderr == ""

    def test_a_split_class_where_nothing_is_split(self) -> None:
        result = run("rtp", "single-deck", "--set", "max_hands=1", "--split-class", "cdz")
        assert (result.exit_code, result.stderr) == (0, "note: --split-class has no effect with max_hands=1\n")

    def test_a_rule_without_effect_in_a_table_of_figures(self, tmp_path: Path) -> None:
        path = tmp_path / "figures.csv"
        path.write_text("game,overrides,published\nsingle-deck,max_hands=1; hit_split_aces=yes,99%\n", encoding="utf-8")
        assert run("verify", str(path)).stderr == self.NOTE.replace("note: ", "note: line 2: ")

    def test_a_rule_without_effect_is_said_to_have_none(self, tmp_path: Path) -> None:
        path = tmp_path / "own.toml"
        path.write_text(MINIMAL + "[states]\nmax_hands = 1\nhit_split_aces = true\n", encoding="utf-8")
        result = run("show", str(path), columns=120)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "split aces may be hit (no effect with max_hands=1)" in words(result.stdout)
        details = {item["field"]: item for item in run_json("show", str(path))["rule_details"]}
        assert details["hit_split_aces"]["has_no_effect"] is True
        assert details["hit_split_aces"]["no_effect_with"] == "max_hands=1"
        assert details["decks"]["no_effect_with"] == ""

    def test_nothing_is_warned_of_a_full_shoe(self) -> None:
        assert run("rtp", "classic-blackjack").stderr == ""


class TestByFirstCard:
    @pytest.mark.parametrize("args", [("classic-blackjack", "--remove", "4xA"), ("face-up-21", "--set", "decks=1")])
    def test_cards_add_up_to_the_round(self, args: tuple[str, ...]) -> None:
        data = run_json("rtp", *args, "--by", "first-card")
        rows = data["by_first_card"]
        assert [row["card"] for row in rows] == list("23456789TA")
        assert math.fsum(row["probability"] for row in rows) == close(1.0)
        assert math.fsum(row["probability"] * row["ev"] for row in rows) == close(data["ev"])
        assert "by_first_card" not in run_json("rtp", *args)
        shown = run("rtp", *args, "--by", "first-card").stdout.split("First card")[1].splitlines()
        assert [line.split()[0] for line in shown[2:12]] == list("23456789TA")
        assert shown[11].split()[1:] == [f"{100 * rows[-1]['probability']:.4f}%", f"{rows[-1]['ev']:+.8f}"]

    def test_what_else_it_may_be_by(self) -> None:
        assert run("rtp", "single-deck", "--by", "moon").stderr == "error: --by: expected first-card, got 'moon'\n"


class TestDealerFromHands:
    def test_more_cards_are_out_of_the_shoe(self) -> None:
        data = run_json("dealer", "single-deck", "9,4,3", "--exact")
        [found] = data["outcomes"]
        assert (found["upcard"], found["given_no_blackjack"]) == ("9,4,3", None)
        assert found["exact"]["unconditional"] | {"bust": None} == {
            **{"17": "4/49", "18": "4/49", "19": "3/49", "20": "3/49", "21": "4/49"},
            **{"blackjack": "0", "bust": None},
        }
        assert data["given"] == "the dealer's cards as shown; the player's are not looked at"

    def test_of_a_total_nothing_is_known(self) -> None:
        data = run_json("dealer", "single-deck", "16", "--exact")
        [found] = data["outcomes"]
        assert found["upcard"] == "hard 16"
        assert found["exact"]["unconditional"]["17"] == "1/13"
        assert "hard 16, of two or more cards that are not known: none is taken out of the shoe" in data["given"]
        assert run_json("dealer", "face-up-21", "soft 17")["outcomes"][0]["unconditional"]["17"] < 1

    def test_a_number_up_to_ten_is_an_upcard(self) -> None:
        for number in range(2, 11):
            [found] = run_json("dealer", "single-deck", str(number))["outcomes"]
            assert found["upcard"] == ("T" if number == 10 else str(number))

    @pytest.mark.parametrize("text", ["9,T,3", "hard 22", "hard 3", "soft 11", "soft 22", "A,T,5", "16,5"])
    def test_what_he_cannot_have(self, text: str) -> None:
        result = run("dealer", "single-deck", text)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


class TestNumbers:
    """Options are numbers as people write them; which those are is tested of `odds.game.quantities`."""

    def test_every_command_reads_them(self) -> None:
        several = run_json("confidence", "single-deck", "--rounds", "1e6", "--precision", "0.1%")
        assert several["rounds"] == 10**6
        assert several["precision"] == 0.001
        shown = run_json(
            "show", "single-deck", "--set", "decks=1,000", "--set", "blackjack_pays=3 to 2", "--close", "1e0"
        )
        assert (shown["rules"]["decks"], shown["rules"]["blackjack_pays"], len(shown["close"])) == (1000, "3/2", 1)
        played = run_json("simulate", "single-deck", "--rounds", "1,000", "--seed", "1_0", "--threads", "1e0")
        assert (played["rounds"], played["seed"]) == (1000, 10)
        found = run_json("reconcile", "single-deck", "--published", "0.9915", "--jobs", "1.0")
        assert (found["published"], found["digits"]) == ("99.15%", 2)

    def test_an_rtp_as_json_prints_it(self) -> None:
        table = run_json("sidebet", "21+3", "--decks", "1_0")["tables"][0]
        rtp, line = table["rtp"], table["lines"][0]
        solved = run_json("sidebet", "21+3", "--decks", "10", "--target-rtp", repr(rtp), "--solve", line["name"])
        assert solved["tables"][0]["solve"]["pays_decimal"] == close(float(line["pays"]))

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (
                ["confidence", "single-deck", "--rounds", "1e999999999"],
                "--rounds: expected a whole number such as 1000",
            ),
            (
                ["confidence", "single-deck", "--rounds", "1e300"],
                "rounds: expected a whole number from 1 to 1,000,000,000,000,000, got 1000",
            ),
            (["confidence", "single-deck", "--precision", "1e400"], "--precision: expected a number such as 0.001"),
            (
                ["show", "single-deck", "--close", "1e9"],
                "--close: expected a whole number from 0 to 100,000, got '1e9'",
            ),
            (["reconcile", "single-deck", "--jobs", "0"], "--jobs: expected a whole number from 1 to 256, got '0'"),
            (["simulate", "single-deck", "--seed", "x"], "--seed: expected a whole number such as 1000"),
            (["rtp", "single-deck", "--exact", "--digits", "1.5"], "--digits: expected a whole number"),
            (["sidebet", "21+3", "--decks", "1,00"], "decks: expected a whole number from 1 to 100,000, or infinite"),
        ],
    )
    def test_what_is_none(self, args: list[str], words: str) -> None:
        result = run(*args)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert words in result.stderr
        assert len(result.stderr) < 200


BAD = [
    (["rtp", "classic-blackjak"], "unknown game 'classic-blackjak'; did you mean 'classic-blackjack'?"),
    (["rtp", ""], "unknown game ''; the games are big-five, "),
    (["rtp", "nope"], "unknown game 'nope'; the games are big-five, "),
    (["rtp", "classic-blackjack", "--set", "nope=1"], "unknown rule 'nope'; the rules are decks, "),
    (["sidebet", "nope"], "unknown side bet 'nope'; the side bets are 21+3, "),
    (["sidebet", "21+3", "--target-rtp", "0.9", "--solve", "quads"], "unknown line 'quads'; the lines are "),
    (["rtp", "two\nlines"], "unknown game"),
    (["rtp", "no-such.toml"], "cannot read game file 'no-such.toml': No such file or directory"),
    (["rtp", "classic-blackjack", "--set", "dekcs=3"], "unknown rule 'dekcs'; did you mean 'decks'?"),
    (["rtp", "classic-blackjack", "--set", "decks"], "expected FIELD=VALUE"),
    (
        ["rtp", "classic-blackjack", "--set", "decks=0"],
        "decks: expected a whole number from 1 to 100,000, or infinite, got '0'",
    ),
    (["rtp", "classic-blackjack", "--set", "decks=abc"], "decks: expected a whole number"),
    (["rtp", "classic-blackjack", "--set", "decks=10000000000"], "decks: expected a whole number"),
    (["rtp", "classic-blackjack", "--set", f"decks={'9' * 5000}"], "decks: expected a whole number"),
    (["rtp", "classic-blackjack", "--set", "decks=6", "--set", "decks=7"], "decks: given twice"),
    (["rtp", "classic-blackjack", "--set", "blackjack_pays=0/0"], "blackjack_pays: expected a payout"),
    (["rtp", "classic-blackjack", "--set", "blackjack_pays=nan"], "blackjack_pays: expected a payout"),
    (["rtp", "classic-blackjack", "--set", "hole_card=none", "--set", "peek_under=T"], "contradicts"),
    (["rtp", "classic-blackjack", "--set", "surrender=early 2-T,10"], "got 'early 2-T,10' (T comes twice)"),
    (["rtp", "classic-blackjack", "--set", "surrender=2-T"], "(early or late is missing before '2-T')"),
    (["rtp", "face-up-21", "--set", "surrender=late 2-9"], "hole_card=exposed contradicts surrender=late 2-9"),
    (["rtp", "classic-blackjack", "--set", "dealer_22_pushes=true"], "unknown rule 'dealer_22_pushes'"),
    (["rtp", "classic-blackjack", "--play", "totals"], "expected composition, total, or a strategy file"),
    (["rtp", "classic-blackjack", "--play", "mine.csv"], "cannot read the strategy 'mine.csv': No such file"),
    (["rtp", "eight-deck-s17", "--split-class", "full"], "max_hands 1 or 2, got 4"),
    (["rtp", "classic-blackjack", "--split-class", "best"], "split class: expected cdz, cdp1 or full, got 'best'"),
    (["rtp", "classic-blackjack", "--remove", ",".join("A" * 33)], "cannot take 33 aces out of a shoe with 32"),
    (["rtp", "classic-blackjack", "--remove", "1"], "cannot read '1'"),
    (["rtp", "single-deck", "--remove", DECK], "expected a shoe of at least 4 cards"),
    (["chart", "single-deck", "--remove", DECK], "expected a shoe of at least 4 cards"),
    (["dealer", "single-deck", "--remove", DECK], "expected a shoe of at least 1 cards"),
    (["dealer", "face-up-21", "--set", "decks=1", "--remove", DECK[2:]], "expected a shoe of at least 2 cards"),
    (["dealer", "single-deck", "T", "--remove", DECK], "dealer T: cannot take 1 ten-valued card"),
    (["hand", "single-deck", "8,8", "T", "--remove", DECK], "cannot take 1 ten-valued card"),
    (["hand", "single-deck", "8,8", "T", "--remove", "8,8,8"], "cannot take 2 eights out of a shoe with 1"),
    (["hand", "classic-blackjack", ",".join("A" * 33), "T"], "player: expected a hand of at most 21"),
    (["hand", "classic-blackjack", "T,T,2", "T"], "which is 22"),
    (["hand", "classic-blackjack", "8", "T"], "player: expected at least two cards, got '8'"),
    (["hand", "classic-blackjack", "8,X", "T"], "cannot read 'X' at position 3"),
    (["hand", "classic-blackjack", "8,8", "T,6"], "dealer: expected one upcard"),
    (["hand", "face-up-21", "8,8", "T"], "dealer: expected both of his cards"),
    (["hand", "classic-blackjack", "8,8", "T", "--after-split", "8:3"], "the rules allow 2 hands of 8"),
    (["hand", "classic-blackjack", "8,8", "T", "--after-split", "8:many"], "expected CARD or CARD:HANDS"),
    (["hand", "classic-blackjack", "9,2", "T", "--after-split", "8"], "expected a hand that holds 8"),
    (["dealer", "classic-blackjack", "Z"], "cannot read 'Z'"),
    (["dealer", "classic-blackjack", "T", "--remove", ",".join("T" * 128)], "out of a shoe with none"),
    (["chart", "classic-blackjack", "--kind", "best"], "--kind: expected total or composition, got 'best'"),
    (["chart", "classic-blackjack", "--format", "pdf"], "--format pdf is not text: expected --out FILE"),
    (["chart", "classic-blackjack", "--format", "doc"], "--format: expected text or md or csv or json"),
    (["chart", "classic-blackjack", "--format", "csv", "--json"], "expected --json or --format csv, got both"),
    (["chart", "classic-blackjack", "--out", "no-such-folder/x.csv"], "there is no folder 'no-such-folder'"),
    (["chart", "classic-blackjack", "--out", "."], "it is a folder"),
    (["chart", "classic-blackjack", "--out", "no-such-folder/x.svg"], "there is no folder 'no-such-folder'"),
    (["reconcile", "single-deck", "--published", "999.15%"], "--published: expected a published percentage such as "),
    (["reconcile", "single-deck", "--published", "0%"], "(the RTP of a game is over 0 and at most 200 %)"),
    (["reconcile", "single-deck", "--published-edge", "100%"], "(the RTP of a game is over 0 and at most 200 %)"),
    (["rtp"], "missing argument 'GAME' (see odds rtp --help)"),
    (["rtp", "classic-blackjack", "--nope"], "no such option: --nope"),
    (["rtp", "classic-blackjack", "extra"], "extra"),
    (["rtp", "classic-blackjack", "--set"], "requires an argument"),
    (["gams"], "no such command 'gams'"),
]


class TestBadInput:
    @pytest.mark.parametrize(("tens", "hands"), [(8, 4), (4, 2), (4, 4)])
    def test_tens_alone_are_too_few_to_split(self, tens: int, hands: int) -> None:
        removed = ",".join(rank for rank in "A23456789" for _ in range(4)) + ",T" * (16 - tens)
        result = run("rtp", "single-deck", "--remove", removed, "--set", f"max_hands={hands}")
        assert (result.exit_code, result.stdout) == (2, "")
        assert re.fullmatch(r"error: [^\n]*too small to split T,T[^\n]*\n", result.stderr)

    @pytest.mark.parametrize(("args", "message"), BAD, ids=[" ".join(args)[:60] for args, _ in BAD])
    def test_one_line_and_exit_code_2(
        self, args: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        result = CliRunner().invoke(app, args, prog_name="odds")
        assert result.exit_code == 2
        assert isinstance(result.exception, SystemExit)
        assert result.stdout == ""
        assert re.fullmatch(r"error: [^\n]+\n", result.stderr), result.stderr
        assert message in result.stderr
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('name = "own\n', "not valid TOML"),
            ('title = "Own"\nsource = "me"\n', "name: missing"),
            (MINIMAL.replace('"Own"', "3"), "title: expected a text, got 3"),
            (MINIMAL + '[states]\ndecks = "six"\n', "decks: expected a whole number"),
            (MINIMAL + "[states]\ndeck = 6\n", "did you mean 'decks'?"),
        ],
    )
    def test_game_files(self, text: str, message: str, tmp_path: Path) -> None:
        path = tmp_path / "own.toml"
        path.write_text(text, encoding="utf-8")
        result = run("rtp", str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert re.fullmatch(r"error: [^\n]+\n", result.stderr)
        assert message in result.stderr
        assert str(path) in result.stderr

    def test_a_defect_is_not_hidden(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("odds.results.round.analyze", lambda *args, **options: 1 / 0)
        assert isinstance(run("rtp", "classic-blackjack").exception, ZeroDivisionError)

    def test_an_interrupt(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(*args: object, **options: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("odds.results.round.analyze", interrupted)
        result = run("rtp", "classic-blackjack")
        assert (result.exit_code, result.output) == (130, "interrupted, nothing written\n")


class TestProcess:
    def test_module(self) -> None:
        result = run_process("--version")
        assert (result.returncode, result.stdout, result.stderr) == (0, f"odds {odds.__version__}\n", "")

    def test_error(self) -> None:
        result = run_process("rtp", "facedown-21", "--json")
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr == "error: unknown game 'facedown-21'; did you mean 'face-up-21'?\n"

    def test_json_is_alone_on_standard_output(self) -> None:
        result = run_process("dealer", "single-deck", "T", "--json")
        assert json.loads(result.stdout)["game"] == "single-deck"
        assert result.stderr == ""

    def test_tables_where_only_ascii_can_be_written(self) -> None:
        env = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
        result = run_process("rtp", "classic-blackjack", env=env)
        assert result.returncode == 0
        assert result.stdout.isascii()

    @pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
    def test_a_reader_that_leaves(self) -> None:
        read, write = os.pipe()
        os.close(read)
        try:
            command = [sys.executable, "-m", "odds", "rtp", "classic-blackjack"]
            result = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
        finally:
            os.close(write)
        assert (result.returncode, result.stderr) == (141, "")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    def test_a_full_disk(self) -> None:
        with Path("/dev/full").open("w") as full:
            command = [sys.executable, "-m", "odds", "rtp", "classic-blackjack"]
            result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
        assert result.returncode == 2
        assert result.stderr == "error: cannot write the result: No space left on device\n"

    @pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
    def test_a_closed_output(self) -> None:
        command = ["sh", "-c", f"'{sys.executable}' -m odds rules decks >&-"]
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
        assert result.returncode == 2
        assert result.stderr == "error: cannot write the result: standard output is closed\n"


class TestFormats:
    @pytest.mark.parametrize(
        ("published", "computed", "agrees"),
        [
            ("99.15%", 0.9915, "both"),
            ("99.15%", 0.99146, "rounded"),
            ("99.15%", 0.99159, "truncated"),
            ("99.15%", 0.9885, None),
            ("100.0423%", 1.00042301, "both"),
        ],
    )
    def test_agreement(self, published: str, computed: float, agrees: str | None) -> None:
        assert agreement(published, computed) == agrees

    def test_numbers(self) -> None:
        assert common.signed(-1e-9, 4) == "+0.0000"
        assert common.signed(-0.25, 2) == "-0.25"
        assert common.percent(-1e-12) == "0.0000%"
        assert common.percent(0.3076923) == "30.7692%"

    @pytest.mark.parametrize(
        ("field", "value", "who"),
        [
            ("dealer_hits_soft_17", True, "dealer"),
            ("dealer_hits_soft_17", False, "player"),
            ("decks", 8, ""),
            ("decks", 1, "player"),
            ("max_hands", 2, "dealer"),
            ("dealer_wins_ties", (17,), "dealer"),
            ("dealer_wins_ties", False, "player"),
            ("surrender", "late", "player"),
            ("double_on", "9-11", "dealer"),
            ("insurance", "none", "dealer"),
            ("charlie", 5, "player"),
            ("hole_card", "none", ""),
        ],
    )
    def test_favours(self, field: str, value: Any, who: str) -> None:
        assert favours(FIELDS[field], value) == who

    def test_a_file_is_replaced_as_a_whole(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "chart.txt"
        write_file(path, "before\n")
        with pytest.raises(odds.OddsError, match="cannot write"):
            write_file(path, "after \ud800\n")  # cannot be encoded
        assert path.read_text(encoding="utf-8") == "before\n"
        write_file(path, "after\n")
        assert path.read_text(encoding="utf-8") == "after\n"
        assert list(tmp_path.iterdir()) == [path]
