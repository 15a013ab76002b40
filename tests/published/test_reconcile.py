"""Which readings of the rules give the published RTP."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import odds
from odds.cli.main import app
from odds.engine.passes import Passes
from odds.errors import CatalogError, OddsError
from odds.game.catalog import CATALOGUE, games, load_game
from odds.published import reconcile as reconciling
from odds.published.conclusions import conclusions
from odds.published.readings import readings
from odds.published.reconcile import Published, parse_published, published_figure, reconcile
from odds.sweep.distinct import Distinct, effective
from odds.sweep.solve import Asked

# One split, no splits to speak of and one deck: what is quick.
GAME = """
name = "test-game"
title = "A test"
source = "nobody"
[published]
rtp = "{rtp}"
[states]
decks = 1
hole_card = "none"
max_hands = 1
[open.blackjack_pays]
value = "3/2"
other_readings = ["6/5"]
[varies.double_on]
value = "any"
other_readings = ["9-11"]
[varies.resplit_aces]
value = false
other_readings = [true]
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["reconcile", *args, "--jobs", "1"], env={"COLUMNS": "80"})


@pytest.mark.parametrize("name", games())
def test_every_game_has_readings(name: str) -> None:
    game = load_game(name)
    found = readings(game)
    assert found[0].rules == game.rules
    assert not found[0].changes
    assert len({effective(reading.rules) for reading in found}) == len(found)
    wide = readings(game, wide=True)
    assert wide[: len(found)] == found
    assert all(reading.neighbour for reading in wide[len(found) :])
    assert len(wide) > 30


def test_moot_readings_are_collapsed() -> None:
    found = readings(load_game("face-up-21"))
    assert len(found) == 12
    assert {"resplit_aces": True} not in [reading.changes for reading in found]
    assert {"max_hands": 3, "resplit_aces": True} in [reading.changes for reading in found]


def test_rules_that_vary_together() -> None:
    found = readings(load_game("classic-blackjack"))
    assert len(found) == 8
    joined = [reading for reading in found if reading.joined]
    assert [reading.changes for reading in joined] == [
        {"hit_split_aces": True, "double_split_aces": True},
        {"peek_under": "T", "hit_split_aces": True, "double_split_aces": True},
    ]
    parted = [reading for reading in found if reading.parted]
    assert len(parted) == 4
    assert not any(reading.joined for reading in parted)


def test_rules_said_to_vary_together_must_match() -> None:
    text = GAME.format(rtp="99%").replace("[open.blackjack_pays]", '[open.blackjack_pays]\ntogether = ["decks"]')
    with pytest.raises(CatalogError, match=r"open\.blackjack_pays\.together: expected rules with as many readings"):
        CATALOGUE.parse(text, "x")
    text = text.replace('["decks"]', '["double_on"]')
    with pytest.raises(CatalogError, match="double_on must name blackjack_pays too"):
        CATALOGUE.parse(text, "x")


def test_readings_that_are_set_are_fixed() -> None:
    game = load_game("face-up-21")
    rules = game.rules.replace(max_hands=3)
    found = readings(game, rules, fixed=("max_hands",))
    assert len(found) == 8
    assert {reading.rules.max_hands for reading in found} == {3}


def test_neighbours_change_one_rule_more() -> None:
    game = load_game("eight-deck-s17")
    wide = [reading for reading in readings(game, wide=True) if reading.neighbour]
    assert any(reading.changes == {"decks": 6} for reading in wide)
    assert any(reading.changes == {"surrender": "late", "decks": 6} for reading in wide)
    assert all(len(reading.changes) <= 2 for reading in wide)
    assert "and, which no source says, 6 decks" in [reading.words for reading in wide]


@pytest.mark.parametrize(
    ("published", "rtp", "expected"),
    [
        (Published("rtp", "99.15%"), 0.991449, None),
        (Published("rtp", "99.15%"), 0.991451, "rounded"),
        (Published("rtp", "99.15%"), 0.9915, "both"),
        (Published("rtp", "99.15%"), 0.991599, "truncated"),
        (Published("rtp", "99.15%"), Fraction(9915, 10000), "both"),
        (Published("house_edge", "0.664%"), 1 - 0.0066477, "truncated"),
        (Published("house_edge", "0.665%"), 1 - 0.0066477, "rounded"),
        (Published("house_edge", "-0.0423%"), 1.00042335, "both"),
        (Published("rtp", "99%"), 0.9951, "truncated"),
    ],
)
def test_printing_the_same(published: Published, rtp: float, expected: str | None) -> None:
    assert published.matches(rtp) == expected


def test_reading_published_figures() -> None:
    assert parse_published(" +99.150 % ") == Published("rtp", "99.150%")
    assert Published("rtp", "99.150%").digits == 3
    assert Published("rtp", "99%").digits == 0
    figure = published_figure(load_game("european-6d"))
    assert figure == Published("house_edge", "0.664%")
    assert figure.rtp == pytest.approx(0.99336)
    for text in ("99,15", "99,15%", "banana", "", "%", "99.15", "nan%", "99.15%%", "99.15 percent"):
        with pytest.raises(OddsError, match=r"such as 99\.15%"):
            parse_published(text)


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "test-game.toml"
    path.write_text(GAME.format(rtp="97.65%"), encoding="utf-8")
    return path


def test_nearest_first_and_matches(game_file: Path) -> None:
    game = load_game(game_file)
    found = reconcile(game)
    assert len(found.answers) == 8  # resplit_aces is moot without splits; two plays
    distances = [abs(answer.rtp - 0.9765) for answer in found.answers]
    assert distances == sorted(distances)
    for answer in found.answers:
        rules = game.rules.replace(**answer.reading.changes)  # type: ignore[arg-type]
        assert answer.reading.rules == rules
        if answer.play == "composition":
            assert answer.rtp == pytest.approx(odds.analyze(rules).rtp, abs=1e-15)
        else:
            assert answer.rtp == pytest.approx(odds.evaluate(rules, odds.basic_strategy(rules)).rtp, abs=1e-15)
    best = {str(a.reading.changes): a.rtp for a in found.answers if a.play == "composition"}
    assert all(best[str(a.reading.changes)] >= a.rtp - 1e-12 for a in found.answers)


def test_what_cannot_differ_is_worked_out_once(game_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    round_of_set = reconciling.round_of_set

    def counted(of: Asked, one: Distinct, passes: Passes | None) -> tuple[odds.RoundResult, object]:
        asked.append((of.play, one.id))
        return round_of_set(of, one, passes)

    monkeypatch.setattr(reconciling, "round_of_set", counted)
    found = reconcile(load_game(game_file), wide=True)
    assert len(asked) == len(set(asked)) == 86
    assert len(found.answers) == 169
    for answer in found.answers[::11]:
        rules = answer.reading.rules
        play = odds.basic_strategy(rules) if answer.play == "total" else None
        result = odds.analyze(rules) if play is None else odds.evaluate(rules, play)
        assert answer.rtp == pytest.approx(result.rtp, abs=1e-15)
        assert answer.rtp_per_total_wager == pytest.approx(1 + result.ev_per_total_wager, abs=1e-15)


def test_json(game_file: Path) -> None:
    rtp = odds.analyze(load_game(game_file).rules.replace(blackjack_pays="6/5")).rtp
    published = f"{100 * rtp:.3f}%"
    result = run(str(game_file), "--published", published, "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert list(data)[:3] == ["game", "rules", "version"]
    assert (data["published"], data["digits"]) == (published, 3)
    first = data["readings"][0]
    assert first["changes"] == {"blackjack_pays": "6/5"}
    assert first["play"] in ("composition", "total")
    assert first["matches"] in ("rounded", "both")
    assert {item["matches"] for item in data["readings"]} <= {"rounded", "truncated", "both", None}
    assert any(text.startswith(f"RTP {published}") and "blackjack pays 6:5" in text for text in data["conclusions"])


def test_table(game_file: Path) -> None:
    result = run(str(game_file), "--set", "double_on=any")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "What would have to be true" in result.stdout
    assert "as the game is listed" in result.stdout
    assert "double 9-11 only" not in result.stdout


@pytest.mark.slow
def test_without_a_published_figure() -> None:
    settings = ("decks=2", "hole_card=none", "surrender=none")
    result = run("classic-blackjack", *(word for text in settings for word in ("--set", text)), "--json")
    data = json.loads(result.stdout)
    assert data["published"] is None
    assert data["conclusions"] == []
    assert {item["matches"] for item in data["readings"]} == {None}
    assert len(data["readings"]) == 8  # peek_under is moot
    joined = [item for item in data["readings"] if item["joined"]]
    assert [item["changes"] for item in joined] == [{"double_split_aces": True, "hit_split_aces": True}] * 2


def test_wide(game_file: Path) -> None:
    game = load_game(game_file)
    rtp = odds.analyze(game.rules.replace(dealer_hits_soft_17=True)).rtp
    found = reconcile(game, Published("rtp", f"{100 * rtp:.4f}%"), fixed=("double_on", "blackjack_pays"), wide=True)
    first = found.answers[0]
    assert first.reading.changes == {"dealer_hits_soft_17": True}
    assert first.reading.neighbour == "dealer_hits_soft_17"
    assert first.matches
    assert any("which no source says, dealer hits soft 17" in text for text in conclusions(found))
    assert all("percentage points " in text for text in conclusions(found) if "The nearest is" in text)


@pytest.mark.parametrize(
    "args",
    [
        ("face-up-21", "--published", "99,15"),
        ("face-up-21", "--published", "banana"),
        ("face-up-21", "--published", "99.15"),
        ("no-such-game",),
        ("face-up-21", "--set", "decks=0"),
    ],
)
def test_bad_input(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.slow
def test_what_the_catalogue_says_of_face_up_21() -> None:
    game = load_game("face-up-21")
    note = game.published["note"]
    values = (({}, "98.85 %"), ({"max_hands": 3}, "99.11 %"), ({"max_hands": 3, "resplit_aces": True}, "99.14 %"))
    for changes, shown in values:
        rtp = odds.analyze(game.rules.replace(**changes)).rtp  # type: ignore[arg-type]
        assert f"{100 * rtp:.2f} %" == shown
        assert shown in note
    figure = published_figure(game)
    assert figure is not None
    assert not any(figure.matches(odds.analyze(reading.rules).rtp) for reading in readings(game))


def test_both_denominators(game_file: Path) -> None:
    game = load_game(game_file)
    played = odds.analyze(game.rules)
    per_total = 1 + played.ev_per_total_wager
    found = reconcile(game, Published("rtp", f"{100 * per_total:.4f}%"))
    first = found.ranked[0]
    assert (first.per, first.reading.changes, first.matches) == ("total wager", {}, None)
    assert first.rtp_per_total_wager == first.nearest == per_total
    assert first.matches_per_total_wager in ("rounded", "both")
    assert any("per total wager. RTP" in text for text in conclusions(found))
    assert "Per total wager that prints the same." in conclusions(found)[0]
    # What prints the same both ways is said to be per initial wager.
    assert {answer.per for answer in reconcile(game, Published("rtp", "98%")).matching} == {"initial wager"}


def test_published_edge(game_file: Path) -> None:
    game = load_game(game_file)
    edge = f"{100 * odds.analyze(game.rules).house_edge:.3f}%"
    data = json.loads(run(str(game_file), "--published-edge", edge, "--json").stdout)
    assert (data["published"], data["published_quantity"]) == (edge, "house_edge")
    assert data["readings"][0]["changes"] == {}
    assert {"rtp_per_total_wager", "matches_per_total_wager", "per"} < data["readings"][0].keys()
    refused = run(str(game_file), "--published-edge", edge, "--published", "97%")
    assert (refused.exit_code, refused.stderr) == (2, "error: --published-edge: expected no --published with it\n")
    assert "--published-edge: expected a published percentage" in run(str(game_file), "--published-edge", "x").stderr


def test_changes_without_effect_are_said_once(tmp_path: Path) -> None:
    text = GAME.format(rtp="97.65%").replace("max_hands = 1", "max_hands = 2")
    text += '[open.split_by]\nvalue = "value"\nother_readings = ["rank"]\n'  # tens are not split anyway
    path = tmp_path / "test-game.toml"
    path.write_text(text)
    settings = ("--set", "blackjack_pays=3/2")
    data = json.loads(run(str(path), *settings, "--json").stdout)
    assert data["no_effect"] == ["aces may be split again", "only like tens are a pair"]  # moot, and of no weight
    assert [item["no_effect"] for item in data["readings"] if "split_by" in item["changes"]] == [["split_by"]] * 4
    shown = run(str(path), *settings).stdout
    assert "No effect by itself: aces may be split again; only like tens are a pair." in shown
    assert shown.count("like tens") == 1
