"""Progressive bets: lines that pay a share of a meter, and the return as a function of what it shows."""

import json
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from odds import Rules, sidebet
from odds.cli.main import app
from odds.errors import PaytableError
from odds.referee.rounds import play_round
from odds.sidebets import SideBet, load_side_bet, symbolic
from odds.sidebets.meter import Meter, MeterReturn, read_shared_pay
from odds.sidebets.paytable import CATALOGUE
from odds.tables.bets import bet_files

Card = tuple[int, int]  # rank from 1 (ace) to 13 (king); suit 0 to 3, of which 1 and 2 are red
RED = (1, 2)

# Two paytables of Blazing 7s; all pays for one, the third card the dealer's. Wizard of Odds, Blazing 7's.
SEVENS = """
name = "sevens"
title = "Sevens"
cards = "player+upcard"
[conditions]
three = { each = "7" }
coloured = { all = ["three", { same = "colour" }] }
suited = { all = ["three", { same = "suit" }] }
two = { of = "player", each = "7" }
one = { of = "player", some = "7" }
[[paytables]]
name = "suited"
lines = [
    { name = "Suited", pays_for_one = "100% of the meter", when = "suited" },
    { name = "Coloured", pays_for_one = "10% of meter", when = "coloured" },
    { name = "Three", pays_for_one = 200, when = "three" },
    { name = "Two", pays_for_one = 25, when = "two" },
    { name = "One", pays_for_one = 2, when = "one" },
]
[[paytables]]
name = "diamonds"
meter = { seed = 10_000, increment = "12%" }
lines = [
    { name = "Diamonds", pays_for_one = "meter", when = { all = ["three"], suits = "d" } },
    { name = "Suited", pays_for_one = "10% meter", when = "suited" },
    { name = "Coloured", pays_for_one = 500, when = "coloured" },
    { name = "Three", pays_for_one = 200, when = "three" },
    { name = "Two", pays_for_one = 25, when = "two" },
    { name = "One", pays_for_one = 2, when = "one" },
]
"""
# Wizard of Odds, Bonus Jackpot, pay table 1.
TRIPS = """
name = "trips"
title = "Trips"
cards = "player+upcard"
[conditions]
trips = { same = "rank" }
suited = { same = "suit" }
[[lines]]
name = "Suited jacks to kings"
pays_for_one = "100% of meter"
when = { all = ["trips", "suited"], each = ["J", "Q", "K"] }
[[lines]]
name = "Suited trips"
pays_for_one = 125
when = { all = ["trips", "suited"] }
[[lines]]
name = "Straight flush"
pays_for_one = 25
when = { all = ["suited"], straight = true }
[[lines]]
name = "Trips"
pays_for_one = 20
when = "trips"
[[lines]]
name = "Straight"
pays_for_one = 6
when = { straight = true }
[[lines]]
name = "Flush"
pays_for_one = 2
when = "suited"
"""
# Wizard of Odds, Ask the Wizard 71: Microgaming's Triple Sevens, five decks.
TRIPLE = """
name = "triple"
title = "Triple"
cards = "player-three"
[conditions]
one = { of = "first", each = "7" }
two = { of = ["first", "second"], each = "7" }
three = { each = "7" }
""" + "".join(
    f'[[lines]]\nname = "{name}"\npays_for_one = {pays}\nwhen = {when}\n'
    for name, pays, when in (
        ("Diamonds", '"meter"', '{ all = ["three"], suits = "d" }'),
        ("Suited", "1000", '{ all = ["three"], same = "suit" }'),
        ("Three", "250", '"three"'),
        ("Two suited", "50", '{ all = ["two"], of = ["first", "second"], same = "suit" }'),
        ("Two", "25", '"two"'),
        ("One", "5", '"one"'),
    )
)


def bet(text: str) -> SideBet:
    return CATALOGUE.parse(text, "mine.toml")


def worth(text: str, *, paytable: str | None = None, decks: int = 6, meter: float | str | None = None) -> MeterReturn:
    found = sidebet(bet(text), paytable=paytable, decks=decks, meter=meter).meter_return
    assert found is not None
    return found


def test_a_hundred_and_ten_percent_of_one_meter() -> None:
    found = worth(SEVENS)
    assert found.break_even == Fraction(651410, 29)
    assert f"{float(found.break_even):.2f}" == "22462.41"
    assert found.ev_without == Fraction(-65141, 125333)
    # 480 and 2,160 deals of 30,079,920, by hand: 4 suits of 6 cards, 2 colours of 12.
    assert found.ev_per_unit == Fraction(4 * 6 * 5 * 4 * 10 + 2 * 12 * 11 * 10 - 4 * 6 * 5 * 4, 10 * 312 * 311 * 310)
    even = sidebet(bet(SEVENS), decks=6, meter=found.break_even)
    assert (even.exact_ev, even.rtp) == (0, 1)


def test_published_figures() -> None:
    trips = worth(TRIPS)
    assert f"{float(trips.break_even or 0):.2f}" == "10957.37"
    assert f"{float(1 + trips.ev_without):.6f}" == "0.475444"
    assert f"{float(1000 * trips.ev_per_unit):.4f}" == "0.0479"
    triple = worth(TRIPLE, decks=5)
    assert round(triple.break_even or 0) == 109862
    assert f"{float(1 + triple.ev_at(Fraction(41227))):.5f}" == "0.76297"
    assert f"{float(-triple.ev_without):.4f}" == "0.3794"
    assert f"{float(10000 * triple.ev_per_unit):.4f}" == "0.0345"


def test_the_return_is_linear() -> None:
    chosen = bet(SEVENS)
    for paytable in ("suited", "diamonds"):
        tables = [
            sidebet(chosen, decks=2, paytable=paytable, meter=meter) for meter in (0, 1, "12,345.5", Fraction(7, 3))
        ]
        returns = [table.meter_return for table in tables]
        for table, found in zip(tables, returns, strict=True):
            assert found is not None
            assert table.exact_ev == found.ev_at(found.meter.value)
            for other in tables:
                assert other.paytable.meter is not None
                assert other.exact_ev == found.ev_at(other.paytable.meter.value)
    assert sidebet(chosen, decks=6, paytable="diamonds").exact_ev == worth(
        SEVENS, paytable="diamonds", meter=10000
    ).ev_at(Fraction(10000))


def test_a_meter_for_a_return() -> None:
    found = worth(SEVENS)
    meter = found.target(Fraction(193, 200))
    assert 1 + found.ev_at(meter) == Fraction(193, 200)
    with pytest.raises(PaytableError, match=r"no meter of 0 or more gives an RTP as low as 0\.4; 0 gives 0\.480257"):
        found.target(Fraction(2, 5))
    assert found.meter_for(Fraction(2, 5)) is None
    never = worth(TRIPS, decks=1)
    assert (never.ev_per_unit, never.break_even) == (0, None)
    with pytest.raises(PaytableError, match="the meter changes nothing"):
        never.target(Fraction(1))


def test_the_long_run() -> None:
    """The mean meter from its balance, against a chain of bets that is followed step by step."""
    found = MeterReturn(
        Meter(Fraction(100), Fraction(100), Fraction(1, 10)), Fraction(-1), Fraction(3, 100), Fraction(1, 50)
    )
    assert found.long_run is not None
    mean = 100.0  # of a full hit in 50, and a hit of half the meter in 50
    for _ in range(5000):
        mean = 0.1 + (mean * 48 + 100 + mean / 2) / 50
    assert float(found.long_run) == pytest.approx(mean, abs=1e-9)
    assert worth(SEVENS, paytable="diamonds").long_run == Fraction(2003996, 65)
    assert worth(SEVENS).long_run is None


def sevens_pay(*cards: Card, meter: Fraction) -> Fraction:
    player = [card[0] for card in cards[:2]]
    if all(card[0] == 7 for card in cards):
        if len({suit for _, suit in cards}) == 1:
            return meter - 1
        return meter / 10 - 1 if len({suit in RED for _, suit in cards}) == 1 else Fraction(199)
    return Fraction({2: 24, 1: 1, 0: -1}[player.count(7)])


def triple_pay(*cards: Card, meter: Fraction) -> Fraction:
    ranks = [card[0] for card in cards]
    if ranks == [7, 7, 7]:
        if len({suit for _, suit in cards}) == 1:
            return meter - 1 if cards[0][1] == 1 else Fraction(999)
        return Fraction(249)
    if ranks[:2] == [7, 7]:
        return Fraction(49 if cards[0][1] == cards[1][1] else 24)
    return Fraction(4 if ranks[0] == 7 else -1)


@pytest.mark.parametrize(("text", "pay"), [(SEVENS, sevens_pay), (TRIPLE, triple_pay)], ids=["sevens", "triple"])
@pytest.mark.parametrize("meter", [5, 5000])
def test_dealt_cards(text: str, pay: Callable[..., Fraction], meter: int) -> None:
    """Every order of three cards of a pack with three of each seven, and what it is paid, written out again."""
    gone = [rank for rank in range(1, 14) if rank not in (1, 7, 13)]
    shoe = [(rank, suit) for rank in (1, 7, 13) for suit in range(4)] * 3
    counted = Counter(pay(*cards, meter=Fraction(meter)) for cards in permutations(shoe, 3))
    rules = Rules(decks=3, removed_ranks=",".join("A23456789TJQK"[rank - 1].replace("T", "10") for rank in gone))
    table = sidebet(bet(text), rules=rules, meter=meter)
    found: Counter[Fraction] = Counter()
    for line in table.lines:
        found[line.pays] += line.probability
    assert {pays: share for pays, share in found.items() if share} == {
        pays: Fraction(number, counted.total()) for pays, number in counted.items()
    }


def test_a_share_of_the_meter_comes_before_any_fixed_pay() -> None:
    """As a help text ranks its hands: so that the EV is linear from a meter of 0 on."""
    chosen = bet(SEVENS)
    small, large = (sidebet(chosen, decks=6, meter=meter) for meter in (20, 20000))
    assert [line.combinations for line in small.lines] == [line.combinations for line in large.lines]
    assert small.line("Coloured").pays_for_one == 2 < small.line("Three").pays_for_one
    for meter in (20, 20000):
        paytable = chosen.paytable().with_meter(meter)
        for cards, line in (("7h Kd 7d 9c", "One"), ("7h 7d 7d 9c", "Coloured"), ("7h 7h 7h 9c", "Suited")):
            played = play_round(Rules(), f"{cards} 9d 9h 9s 8d", (), side_bets=[paytable]).side_bets
            assert played == ({"One": "Two"}.get(line, line),)


def test_formulas() -> None:
    chosen = bet(SEVENS)
    paytable = chosen.paytable().with_meter("22,462.41")
    formula = symbolic(chosen, paytable, Rules())
    assert formula.meter is not None
    for decks in (3, 6, 9):
        found = worth(SEVENS, decks=decks)
        assert formula.meter.per_unit.subs("d", decks) == found.ev_per_unit
        assert formula.meter.break_even.subs("d", decks) == found.break_even
        assert formula.at(decks) == found.ev_at(Fraction(2246241, 100))
    data = formula.to_dict()["meter"]
    assert data["limit"]["ev_per_unit"] == str(
        4 * Fraction(1, 52) ** 3 + Fraction(1, 10) * (2 * 8 - 4) * Fraction(1, 52) ** 3
    )
    assert symbolic(load_side_bet("21+3"), load_side_bet("21+3").paytable(), Rules()).meter is None


# ---------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("words", "share"),
    [
        ("meter", 1),
        ("100% of meter", 1),
        ("10% of the Meter", Fraction(1, 10)),
        ("1/3 meter", Fraction(1, 3)),
        ("12.5 % of meter", Fraction(1, 8)),
    ],
)
def test_shares(words: str, share: Fraction) -> None:
    assert read_shared_pay(words) == (0, share)
    assert read_shared_pay(f"15 + {words}") == read_shared_pay(f"{words}+15") == ("15", share)


HEAD = 'name = "mine"\ntitle = "Mine"\ncards = "player"\n'
LINE = '[[lines]]\nname = "Pair"\nwhen = { same = "rank" }\npays = '


def test_a_number_beside_a_share() -> None:
    chosen = bet(f'{HEAD}{LINE}"15 + 50% of meter"\n')
    table = sidebet(chosen, decks=6, meter=100)
    assert (table.lines[0].pays, table.lines[0].pay_words, table.lines[0].for_one_words) == (65, "15 + 50% meter", "66")
    assert sidebet(bet(f'{HEAD}{LINE.replace("pays", "pays_for_one")}"15 + meter"'), meter=100).lines[0].pays == 114


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{HEAD}{LINE}"110% of meter"', "lines[1].pays: expected a payout from 0 to 1,000,000,000 to one"),
        (f'{HEAD}{LINE}"110% of meter"', "('110%' is not a share of over 0 and at most 100 %)"),
        (f'{HEAD}{LINE}"0 meter"', "is not a share of over 0"),
        (f'{HEAD}{LINE}"meter + meter"', "(the meter is one part of it, and a fixed number at most another)"),
        (f'{HEAD}{LINE}"1 + 2 + meter"', "a fixed number at most another"),
        (f'{HEAD}{LINE}"meter - 5"', "(the meter is one part of it"),
        (f'{HEAD}{LINE}"x% of meter"', "lines[1].pays: expected a payout"),
        (f'{HEAD}{LINE}"-5 + meter"', "the losing line is added by itself"),
        (f'{HEAD}meter = 5\n{LINE}"meter"', "meter: expected a table"),
        (f'{HEAD}meter = {{ start = 5 }}\n{LINE}"meter"', "meter.start: unknown key"),
        (
            f'{HEAD}meter = {{ seed = -5 }}\n{LINE}"meter"',
            "meter.seed: expected units of the bet from 0 to 1,000,000,000",
        ),
        (f'{HEAD}meter = {{ seed = true }}\n{LINE}"meter"', "got True"),
        (
            f'{HEAD}meter = {{ increment = 12 }}\n{LINE}"meter"',
            "meter.increment: expected a share of the bet such as '10%'",
        ),
        (f"{HEAD}meter = {{ seed = 5 }}\n{LINE}5", "meter: no line pays a share of it"),
        (
            f'{HEAD}[[paytables]]\nname = "a"\nmeter = {{ }}\n{LINE.replace("[[lines]]", "[[paytables.lines]]")}5',
            "paytables[1].meter: no line pays a share of it",
        ),
    ],
)
def test_files_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(PaytableError) as caught:
        bet(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_meters_that_are_refused() -> None:
    for value in ("x", "-1", 1e10, True, "nan"):
        with pytest.raises(PaytableError, match="meter: expected a number of units of the bet from 0 to 1,000,000,000"):
            sidebet(bet(SEVENS), meter=value)
    with pytest.raises(PaytableError, match=r"meter: no line of paytable 100-30-20-10-5 pays a share of a meter"):
        sidebet("21+3", meter=5)


# -------------------------------------------------------------------------------------------------------------- command


@pytest.fixture
def sevens(tmp_path: Path) -> str:
    path = tmp_path / "sevens.toml"
    path.write_text(SEVENS, encoding="utf-8")
    return str(path)


def run(*args: str, columns: int = 80) -> Result:
    return CliRunner().invoke(app, ["sidebet", *args], env={"COLUMNS": str(columns)})


def run_json(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    data: dict[str, Any] = json.loads(result.stdout, parse_constant=lambda text: pytest.fail(f"{text} is not JSON"))
    return data


def test_json(sevens: str) -> None:
    data = run_json(sevens, "--decks", "6", "--meter", "22462.41", "--meter", "30,000", "--target-rtp", "96.5%")
    (table,) = data["tables"]
    assert table["rtp"] == pytest.approx(1, abs=1e-6)
    first, *_, last = table["lines"]
    assert (first["meter_share"], first["pays_without_meter"], first["pays"]) == ("1", "-1", "2246141/100")
    assert "meter_share" not in last
    meter = table["meter"]
    assert meter["break_even"] == pytest.approx(22462.41379, abs=1e-5)
    assert meter["exact"]["break_even"] == "651410/29"
    assert [row["meter"] for row in meter["values"]] == [22462.41, 30000]
    assert [row["rtp"] for row in meter["values"]] == pytest.approx([table["rtp"], 1.174407], abs=1e-6)
    assert (meter["seed"], meter["increment"], meter["long_run"]) == (None, None, None)
    assert 1 + meter["ev_without"] + meter["ev_per_unit"] * meter["target"] == pytest.approx(0.965)
    other = run_json(sevens, "--paytable", "diamonds", "--decks", "6")["tables"][0]["meter"]
    assert (other["value"], other["seed"], other["increment"]) == (10000, 10000, 0.12)
    assert other["long_run_rtp"] == pytest.approx(float(Fraction(2118299, 3133325)))
    assert "meter" not in run_json("21+3")["tables"][0]
    listed = {bet["name"]: bet["paytables"][0] for bet in run_json()["side_bets"]}
    assert listed["blazing-7s"]["meter"] == {"seed": None, "increment": None}
    assert "meter" not in listed["21+3"]
    shares = [row["meter_share_exact"] for row in bet(SEVENS).to_rows() if row["paytable"] == "suited"]
    assert shares == ["1", "1/10", "0", "0", "0"]


def test_text(sevens: str) -> None:
    text = run(sevens, "--decks", "6", "--meter", "30000", "--target-rtp", "0.965", "--exact").stdout
    assert max(map(len, text.splitlines())) <= 80
    for words in ("Suited +meter +30,000 +480 ", r"Even at +22,462\.41 +100\.0000%", "EV of 0 +651410/29"):
        assert re.search(words, text), words
    assert "RTP 48.0257% with the meter at 0, and 0.00231384% more for each unit of it." in text
    assert "Meter         0, as nothing says what it shows: --meter X does" in run(sevens).stdout
    wide = run(sevens, "--paytable", "all", "--symbolic").stdout
    assert max(map(len, wide.splitlines())) <= 80
    assert "Meter         suited: 0, as nothing says" in wide
    assert "diamonds: 10,000, from which it starts; 12% of every bet is added" in wide
    assert "Meter with an EV of 0" in wide


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["21+3", "--meter", "5"], "--meter: no line of 21+3 pays a share of a meter"),
        (["SEVENS", "--meter", "x"], "meter: expected a number of units of the bet"),
        (["SEVENS", "--meter", "5", "--meter", "5"], "--meter 5: given twice"),
        (["SEVENS", "--target-rtp", "0.1"], "no meter of 0 or more gives an RTP as low as 0.1; 0 gives"),
        (["SEVENS", "--target-rtp", "0.9", "--solve", "Suited"], "line 'Suited' pays a share of the meter"),
        (["--meter", "5"], "--meter: expected a BET with it"),
    ],
)
def test_bad_input(args: list[str], message: str, sevens: str) -> None:
    result = run(*(word.replace("SEVENS", sevens) for word in args))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_where_side_bets_of_a_game_are_shown(tmp_path: Path, sevens: str) -> None:
    game = tmp_path / "game.toml"
    head = f'name = "mine"\ntitle = "Mine"\nsource = "x"\nside_bets = ["{sevens}", "21+3"]\n'
    game.write_text(f"{head}[states]\ndecks = 1\nmax_hands = 1\n")
    text = CliRunner().invoke(app, ["rtp", str(game)], env={"COLUMNS": "80"}).stdout
    assert re.search("^sevens +suited, meter at 0 ", text, re.MULTILINE)
    data = json.loads(CliRunner().invoke(app, ["rtp", str(game), "--json"]).stdout)
    assert [(row["name"], row.get("meter")) for row in data["side_bets"]] == [("sevens", 0), ("21+3", None)]
    template = tmp_path / "help.txt"
    template.write_text(f"RTP {{rtp@{sevens}}}\n")
    refused = CliRunner().invoke(app, ["fill", str(template), str(game)])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "sevens pays a share of a meter, and nothing says what it shows" in refused.stderr


def test_tables_of_the_catalogue() -> None:
    files = bet_files("blazing-7s", "odds tables build")
    page, rows = files["blazing-7s.md"], files["blazing-7s.csv"]
    assert "- Meter: in units of the bet; upcard-200-25-2: 0, as nothing says what it shows" in page
    assert "| 6 | 48.02565964% | 51.97434036% | 14.80695427% | 4.03494228 | 22,462.41 |" in page
    assert "| 10% meter | 0 | 5,376 |" in page
    assert ",return,meter_share\n" in rows
    found = worth(SEVENS, decks=8)
    assert f"| 25,000 | {100 * float(1 + found.ev_at(Fraction(25000))):.8f}% |" in page
    assert f"| {float(found.break_even or 0):,.2f} | 100.00000000% | 0.00000000% |" in page
    assert "upcard-200-25-2,,6,Three coloured sevens,-1,2160,0.000071808702,-0.000071808702,1/10\n" in rows
    assert "meter" not in "".join(bet_files("any-pair", "odds tables build").values()).lower()
