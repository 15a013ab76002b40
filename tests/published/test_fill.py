"""Help texts: which placeholders are bound to what, what stays, and the bytes around them."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import odds
from odds.cli.main import app
from odds.errors import OddsError
from odds.game.catalog import Game, load_game
from odds.published.fill import decode, fill, placeholders

CLASSIC = load_game("classic-blackjack")
SEED = Path(__file__).parents[3] / "shared" / "seeds" / "002_dd95b852777e4c50.txt"

# The structure of a maker's help text, in words of our own.
HELP = """\
Welcome to the table.

Coins on offer: %t

Main wager: from %a to %b
Lucky Ladies™: from %a to %b

The return to player (RTP) of the main game is %t.

About the first extra
The RTP of the Lucky Ladies™ wager comes to %t.

About the second extra
RTP (Return to player), 21+3™ side bet: %t
The end
"""
FILLED = (
    HELP.replace("game is %t", "game is 99.59%")
    .replace("comes to %t", "comes to 83.27%")
    .replace("side bet: %t", "side bet: 89.06%")
)


def main_rtp(game: Game) -> Callable[[bool], Fraction | float]:
    return lambda exact: odds.analyze(game.rules).exact().rtp if exact else odds.analyze(game.rules).rtp


def filled(text: str, game: Game = CLASSIC) -> str:
    return fill(text, game, game.rules, main_rtp(game)).text


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["fill", *args], env={"COLUMNS": "80"})


def test_bare_placeholders_go_where_their_line_says() -> None:
    result = fill(HELP, CLASSIC, CLASSIC.rules, main_rtp(CLASSIC))
    assert result.text == FILLED
    assert [(place.line, place.bet, figure) for place, figure in result.placeholders] == [
        (8, None, "99.59%"),
        (11, "lucky-ladies", "83.27%"),
        (14, "21+3", "89.06%"),
    ]
    assert [(item.line, item.column, item.text) for item in result.left] == [(3, 17, "%t")]


@pytest.mark.skipif(not SEED.is_file(), reason="the maker's text is not here")
def test_a_makers_own_text() -> None:
    text = decode(SEED.read_bytes(), SEED.name)
    result = fill(text, CLASSIC, CLASSIC.rules, main_rtp(CLASSIC))
    assert [(place.bet, figure) for place, figure in result.placeholders] == [
        (None, "99.59%"),
        ("lucky-ladies", "83.27%"),
        ("21+3", "89.06%"),
    ]
    assert len(result.left) == 1
    assert result.text.count("%t") == 1
    assert result.text.count("%a") == text.count("%a")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{rtp}", "99.59%"),
        ("{rtp:.0f} {rtp:.4f}", "100% 99.5900%"),
        ("{rtp:.12f}", "99.590037433119%"),
        ("{house_edge:.3f}", "0.410%"),
        ("{rtp@21+3}, {house_edge@lucky-ladies:.4f}", "89.06%, 16.7326%"),
        ("{rtp@ll} {rtp@Perfect Pairs:.1f}", "83.3% 95.9%"),
        ("{rtp}%", "99.59%"),
        ("RTP: %t%", "RTP: 99.59%"),
        ("{{rtp}} {0} {} { color: red } %total %%t 5%", "{{rtp}} {0} {} { color: red } %total %%t 5%"),
        ("Return-to-player: %t", "Return-to-player: 99.59%"),
        ("SURTPOT %t", "SURTPOT %t"),
        ("RTP without insurance is %t", "RTP without insurance is 99.59%"),
        ("", ""),
    ],
)
def test_placeholders(text: str, expected: str) -> None:
    expected = expected.replace("83.3% 95.9%", filled("{rtp@lucky-ladies} {rtp@perfect-pairs:.1f}"))
    assert filled(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\nb {rpt}", "line 2, column 3: unknown placeholder '{rpt}'; did you mean '{rtp}'?"),
        ("{RTP}", "line 1, column 1: unknown placeholder '{RTP}'; did you mean '{rtp}'?"),
        ("{ rtp }", "line 1, column 1: unknown placeholder '{ rtp }'"),
        ("{rtp:d}", "line 1, column 1: unknown placeholder '{rtp:d}'; expected digits as .0f to .12f"),
        ("{rtp:.13f}", "expected digits"),
        ("\r\n{rtp@21+4}", "line 2, column 1: unknown side bet '21+4'"),
        ("{published_rtp}", "line 1, column 1: '{published_rtp}': nothing is published on classic-blackjack"),
        ("{published_rtp@21+3}", "published RTPs are of the main game only"),
        ("RTP %t to %t", "line 1, column 5: ambiguous placeholder %t: the line has 2 of them"),
        ("RTP of 21+3 and Lucky Ladies: %t", "ambiguous placeholder %t: the line names"),
        ("RTP of the side bet: %t", "the line speaks of a side bet and names none"),
        ("RTP of Perfect Pairs: %t", "the line names Perfect Pairs, which classic-blackjack does not have"),
    ],
)
def test_unknown_and_ambiguous_placeholders(text: str, message: str) -> None:
    with pytest.raises(OddsError) as caught:
        filled(text)
    assert message in str(caught.value)


def test_published_figures() -> None:
    game = load_game("face-up-21")
    assert filled("{published_rtp} {published_rtp:.1f}", game) == "99.15% 99.2%"
    assert filled("{published_rtp}", load_game("double-exposure-ac")) == "99.34%"
    with pytest.raises(OddsError, match="has 2 decimals only"):
        filled("{published_rtp:.3f}", game)
    with pytest.raises(OddsError, match="as set here"):
        fill("{published_rtp}", game, game.rules.replace(decks=6), main_rtp(game))


@given(st.text(alphabet=st.characters(blacklist_characters="{}%", blacklist_categories=["Cs"])))
def test_text_without_placeholders_stays(text: str) -> None:
    assert placeholders(text, CLASSIC) == ([], [])
    assert filled(text) == text


def test_a_text_without_placeholders_is_said_to_be(tmp_path: Path) -> None:
    template = tmp_path / "help.txt"
    for text, said in (("RTP", "note: help.txt: no placeholder is in it\n"), ("RTP {rtp}", "")):
        template.write_text(text, encoding="utf-8")
        assert CliRunner().invoke(app, ["fill", str(template), "classic-blackjack"]).stderr == said


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_stay(tmp_path: Path, newline: str, mark: bytes) -> None:
    template, out = tmp_path / "help.txt", tmp_path / "filled.txt"
    template.write_bytes(mark + HELP.replace("\n", newline).encode())
    result = run(str(template), "classic-blackjack", "--out", str(out))
    assert result.exit_code == 0
    assert out.read_bytes() == mark + FILLED.replace("\n", newline).encode()
    assert "line 3, column 17: %t" in result.stderr
    assert result.stdout == ""
    shown = run(str(template), "classic-blackjack")
    assert shown.stdout_bytes == out.read_bytes()


def test_json_and_play(tmp_path: Path) -> None:
    template = tmp_path / "help.txt"
    template.write_text("{rtp:.4f} %t", encoding="utf-8")
    result = run(str(template), "classic", "--play", "total", "--set", "decks=6", "--json")
    data = json.loads(result.stdout)
    assert list(data)[:3] == ["game", "rules", "version"]
    rules = CLASSIC.rules.replace(decks=6)
    rtp = odds.evaluate(rules, odds.basic_strategy(rules)).rtp
    assert data["text"] == f"{100 * rtp:.4f}% %t"
    assert data["filled"][0]["figure"] == f"{100 * rtp:.4f}%"
    assert data["left"] == [{"line": 1, "column": 11, "text": "%t", "why": "the line does not speak of an RTP"}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"one\ntwo \xff {rtp}", "help.txt: line 2: expected text in UTF-8"),
        ("{rtp}".encode("utf-16"), "expected text in UTF-8"),
        (b"\x00", "expected text in UTF-8"),
        (b"{nothing}", "help.txt: line 1, column 1: unknown placeholder"),
    ],
)
def test_bad_templates_write_nothing(tmp_path: Path, content: bytes, message: str) -> None:
    template, out = tmp_path / "help.txt", tmp_path / "out.txt"
    template.write_bytes(content)
    result = run(str(template), "classic-blackjack", "--out", str(out))
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not out.exists()


def test_bad_arguments(tmp_path: Path) -> None:
    template = tmp_path / "help.txt"
    template.write_text("no figures", encoding="utf-8")
    for args in (
        (str(tmp_path / "none.txt"), "classic-blackjack"),
        (str(tmp_path), "classic-blackjack"),
        (str(template), "no-such-game"),
        (str(template), "classic-blackjack", "--play", "best"),
        (str(template), "classic-blackjack", "--out", str(tmp_path / "no" / "out.txt")),
    ):
        result = run(*args)
        assert result.exit_code == 2, args
        assert result.stderr.startswith("error: ")
        assert len(result.stderr.splitlines()) == 1


def test_doubled_placeholders_stay_and_are_said(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("{{rtp}} {rtp}} {{rtp:.1f}} %%t {{other}} RTP {house_edge}%")
    result = run(str(path), "single-deck")
    assert result.stdout.startswith("{{rtp}} {rtp}} {{rtp:.1f}} %%t {{other}} RTP -0.04%")
    assert result.stderr.splitlines() == [
        f"left: t.txt: line 1, column {column}: {text}; double marks stay as they are"
        for column, text in ((1, "{{rtp}}"), (9, "{rtp}}"), (16, "{{rtp:.1f}}"), (28, "%%t"))
    ]
    left = json.loads(run(str(path), "single-deck", "--json").stdout)["left"]
    assert [item["why"] for item in left] == ["double marks stay as they are"] * 4
