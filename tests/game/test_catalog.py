import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from strategies import described

from odds.errors import CatalogError, OddsError
from odds.game.bonuses import read_bonuses
from odds.game.catalog import CATALOGUE, Game, Provenance, games, load_game
from odds.game.fields import FIELDS, written
from odds.game.rules import Rules

FORMATS = Path(__file__).parents[2] / "docs" / "formats.md"

MINIMAL = 'name = "mine"\ntitle = "Mine"\nsource = "me"\n'


def fields_with(game: Game, status: str) -> tuple[str, ...]:
    return tuple(name for name, known in game.provenance.items() if known.status == status)


def refused(text: str) -> str:
    with pytest.raises(CatalogError) as caught:
        CATALOGUE.parse(text, "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml: ")
    assert "\n" not in message
    return message.removeprefix("mine.toml: ")


def test_the_catalogue() -> None:
    assert games() == (
        "big-five",
        "blackjack-switch",
        "classic-blackjack",
        "double-attack",
        "double-exposure-ac",
        "double-exposure-reno",
        "double-exposure-stratosphere",
        "eight-deck-s17",
        "european-6d",
        "european-8d",
        "face-up-21",
        "free-bet",
        "infinite-blackjack",
        "macau",
        "match-play-21",
        "power-blackjack",
        "single-deck",
        "spanish-21",
        "super-fun-21",
        "vegas-strip-6d-h17",
    )


SPANISH: dict[str, Any] = {
    "decks": 6,
    "removed_ranks": "10",
    "dealer_hits_soft_17": True,
    "blackjack_tie": "win",
    "player_21": "wins",
    "double_cards": "any",
    "double_split_aces": True,
    "resplit_aces": True,
    "hit_split_aces": True,
    "surrender": "late",
}
BONUSES = "; ".join(
    [f"cards={cards} total=21 pays={pays}" for cards, pays in (("5", "3/2"), ("6", "2"), ("7+", "3"))]
    + [
        f"ranks={ranks} suits={suits} pays={pays}"
        for ranks in ("6,7,8", "7,7,7")
        for suits, pays in (("any", "3/2"), ("same", "2"), ("spades", "3"))
    ]
)

# What each game is, without its rules that are the default: written from the sources, not from the files.
RULES: dict[str, dict[str, Any]] = {
    "face-up-21": {
        "dealer_hits_soft_17": True,
        "hole_card": "exposed",
        "blackjack_pays": Fraction(1),
        "blackjack_tie": "win",
        "dealer_wins_ties": True,
        "double_on": "9-11",
        "max_hands": 2,
    },
    "classic-blackjack": {"max_hands": 2, "surrender": "late", "even_money": True},
    "single-deck": {"decks": 1, "double_after_split": False},
    "vegas-strip-6d-h17": {"decks": 6, "dealer_hits_soft_17": True, "surrender": "late"},
    "eight-deck-s17": {},
    "european-6d": {"decks": 6, "hole_card": "none", "double_on": "9-11", "max_hands": 2},
    "european-8d": {"hole_card": "none", "max_hands": 2},
    "double-exposure-ac": {
        "hole_card": "exposed",
        "blackjack_pays": Fraction(1),
        "blackjack_tie": "win",
        "dealer_wins_ties": True,
        "double_on": "hard 9-11, soft 19-20",
        "max_hands": 2,
    },
    "double-exposure-stratosphere": {
        "decks": 6,
        "dealer_hits_soft_17": True,
        "hole_card": "exposed",
        "blackjack_pays": Fraction(1),
        "blackjack_tie": "win",
        "dealer_wins_ties": True,
        "double_on": "9-11",
    },
    "double-exposure-reno": {
        "decks": 6,
        "dealer_hits_soft_17": True,
        "hole_card": "exposed",
        "blackjack_pays": Fraction(1),
        "dealer_wins_ties": True,
        "double_on": "9-11",
        "double_after_split": False,
        "max_hands": 2,
    },
    "big-five": {"decks": 5, "dealer_hits_soft_17": True, "hole_card": "none", "surrender": "early 2-T"},
    "infinite-blackjack": {
        "peek_under": "A",
        "double_after_split": False,
        "max_hands": 2,
        "charlie": 6,
        "charlie_beats_blackjack": True,
    },
    "macau": {"decks": 6, "hole_card": "none", "dealer_blackjack_takes": "original", "surrender": "early 2-T"},
    "power-blackjack": {"removed_ranks": "9,10", "double_multiples": (2, 3, 4), "max_hands": 2},
    "free-bet": {
        "decks": 6,
        "dealer_hits_soft_17": True,
        "dealer_22": "push",
        "free_double_on": "9-11",
        "free_split": "A-9",
        "resplit_aces": True,
    },
    "blackjack-switch": {
        "decks": 6,
        "dealer_hits_soft_17": True,
        "blackjack_pays": Fraction(1),
        "dealer_22": "push",
        "switch": True,
    },
    "double-attack": {
        "removed_ranks": "10",
        "raise_after_upcard": Fraction(1),
        "blackjack_pays": Fraction(1),
        "double_cards": "any",
        "surrender": "late",
        "surrender_cards": "any",
        "insurance_pays": Fraction(5, 2),
    },
    "spanish-21": {**SPANISH, "double_rescue": True, "bonuses": read_bonuses(BONUSES)},
    "match-play-21": {
        **SPANISH,
        "surrender_cards": "any",
        "bonuses": read_bonuses(f"ranks=7,7,7 suits=same upcard=7 pays=40 after_split=false; {BONUSES}"),
    },
    "super-fun-21": {
        "decks": 1,
        "dealer_hits_soft_17": True,
        "blackjack_pays": Fraction(1),
        "blackjack_tie": "win",
        "double_cards": "any",
        "double_split_aces": True,
        "resplit_aces": True,
        "hit_split_aces": True,
        "surrender": "late",
        "surrender_cards": "any",
        "bonuses": read_bonuses(
            "cards=2 total=21 suits=diamonds pays=2; cards=5+ total=21 pays=2; cards=6+ total=<=20 pays=1"
        ),
    },
}


@pytest.mark.parametrize("name", games())
def test_rules_of_each_game(name: str) -> None:
    rules = load_game(name).rules
    found = {field: getattr(rules, field) for field, _, _ in described(rules)}
    assert found == RULES[name]


@pytest.mark.parametrize(
    ("name", "rtp"),
    [
        ("face-up-21", "99.15%"),
        ("classic-blackjack", None),
        ("single-deck", "100.0423%"),
        ("vegas-strip-6d-h17", "99.473%"),
        ("eight-deck-s17", "99.568%"),
        ("european-6d", "99.336%"),
        ("european-8d", "99.402%"),
        ("double-exposure-ac", "99.34%"),
        ("double-exposure-stratosphere", "99.32%"),
        ("double-exposure-reno", "98.53%"),
        ("big-five", "99.55%"),
        ("infinite-blackjack", "99.47%"),
        ("macau", "99.84%"),
        ("power-blackjack", "98.8%"),
        ("spanish-21", "99.22%"),
        ("match-play-21", "99.24%"),
        ("super-fun-21", "99.06%"),
        ("double-attack", "99.38%"),
        ("free-bet", "98.96%"),
        ("blackjack-switch", "99.42%"),
    ],
)
def test_published_figures(name: str, rtp: str | None) -> None:
    assert load_game(name).published_rtp == rtp


def test_reno_says_that_its_figure_is_in_doubt() -> None:
    assert "1.56 %" in load_game("double-exposure-reno").published["note"]


@pytest.mark.parametrize("name", games())
def test_every_game_of_the_catalogue_is_complete(name: str) -> None:
    game = load_game(name)
    assert game.name == name
    assert game.title
    assert game.summary
    assert game.source
    assert game.urls or "maker" in game.source
    assert list(game.provenance) == list(FIELDS)
    for field, known in game.provenance.items():
        assert known.readings[0] == getattr(game.rules, field)
        assert (len(known.readings) > 1) == (known.status in ("open", "varies"))
        assert known.note or known.status in ("states", "assumed")
        for reading in known.readings:
            game.rules.replace(**{field: reading})
        if known.status == "assumed" and not game.rules.is_moot(field):
            assert getattr(game.rules, field) == FIELDS[field].default
    for alias in game.aliases:
        assert load_game(alias) == game


def test_names_and_aliases_are_not_used_twice() -> None:
    names = [name for game in games() for name in (game, *load_game(game).aliases)]
    assert len(set(names)) == len(names)


def test_what_is_known_of_face_up_21() -> None:
    game = load_game("face-up-21")
    assert fields_with(game, "open") == ("blackjack_pays", "double_soft_as_hard")
    assert fields_with(game, "varies") == ("max_hands", "resplit_aces")
    assert game.provenance["blackjack_pays"].readings == (Fraction(1), Fraction(3, 2))
    assert game.provenance["double_soft_as_hard"].readings == (False, True)
    assert game.provenance["max_hands"].readings == (2, 3)
    assert game.provenance["resplit_aces"].readings == (False, True)
    assert game.provenance["dealer_hits_soft_17"] == Provenance("states", (True,))
    assert game.provenance["surrender"].status == "assumed"
    assert game.side_bets == ()
    assert not game.rules.may_double(19, soft=True)


def test_what_is_known_of_classic_blackjack() -> None:
    game = load_game("classic-blackjack")
    assert fields_with(game, "open") == ("peek_under",)
    assert fields_with(game, "varies") == ("double_split_aces", "hit_split_aces")
    assert game.provenance["peek_under"].readings == ("A,T", "T")
    assert game.provenance["surrender"].status == "states"
    assert game.side_bets == ("lucky-ladies", "21+3")
    assert game.published.keys() == {"note"}


def test_two_figures_are_published_of_big_five() -> None:
    assert load_game("big-five").published["house_edge"] == "0.47%"


def test_what_is_known_of_the_games_of_the_dealer_22() -> None:
    bet, switch = load_game("free-bet"), load_game("blackjack-switch")
    assert fields_with(bet, "varies") == ("decks", "dealer_hits_soft_17", "blackjack_pays", "resplit_aces")
    assert bet.side_bets == ("pot-of-gold", "push-22")
    varies = ("decks", "dealer_hits_soft_17", "blackjack_tie", "switched_blackjack")
    assert fields_with(switch, "varies") == varies
    assert switch.provenance["blackjack_tie"].readings == ("push", "win")
    assert "0.399" in switch.published["note"]


def test_names_may_be_written_loosely() -> None:
    assert load_game(" Face_Up 21 ").name == "face-up-21"
    assert load_game("European").name == "european-6d"


@pytest.mark.parametrize(
    ("name", "near"),
    [("face-up-22", "face-up-21"), ("clasic-blackjack", "classic-blackjack"), ("stratosfere", "stratosphere")],
)
def test_unknown_names_suggest_the_nearest(name: str, near: str) -> None:
    with pytest.raises(CatalogError, match=f"unknown game '{name}'; did you mean '{near}'"):
        load_game(name)


@pytest.mark.parametrize("name", ["", "zzz", "..", "\x00", "x" * 1000])
def test_names_with_nothing_near(name: str) -> None:
    with pytest.raises(CatalogError, match="the games are big-five, blackjack-switch, ") as caught:
        load_game(name)
    assert len(str(caught.value)) < 450


@pytest.mark.parametrize("as_text", [True, False])
def test_a_game_from_a_file(tmp_path: Path, as_text: bool) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINIMAL + "[states]\ndecks = 2\n", encoding="utf-8-sig")
    game = load_game(str(path) if as_text else path)
    assert game == CATALOGUE.read(path)
    assert game.rules == Rules(decks=2)
    assert (game.summary, game.aliases, game.published, game.published_rtp) == ("", (), {}, None)
    assert game.provenance["decks"] == Provenance("states", (2,))
    assert game.provenance["charlie"] == Provenance("assumed", (None,))
    assert hash(game) == hash(CATALOGUE.read(path))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"absent\.toml': No such file"):
        load_game(tmp_path / "absent.toml")
    with pytest.raises(CatalogError, match="Is a directory"):
        load_game(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(CatalogError, match=r"binary\.toml': it is not UTF-8"):
        load_game(str(binary))
    with pytest.raises(CatalogError, match=r"cannot read game file 'a\\x00/b\.toml': embedded null"):
        load_game("a\x00/b.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not valid TOML: "),
        ("x = " + "[" * 5000, "not valid TOML: "),
        (MINIMAL + 'name = "twice"', "not valid TOML: "),
        ("", "name: missing"),
        ('name = "mine"\nsource = "me"', "title: missing"),
        ('name = "mine"\ntitle = "Mine"', "source: missing"),
        ('name = "Mine!"\ntitle = "Mine"\nsource = "me"', "name: expected lower-case words"),
        ('name = "mine"\ntitle = " "\nsource = "me"', "title: expected a text, got an empty one"),
        ('name = 3\ntitle = "Mine"\nsource = "me"', "name: expected a text, got 3"),
        (MINIMAL + "summary = [1]", "summary: expected a text, got [1]"),
        (MINIMAL + 'aliases = "x"', "aliases: expected a list of texts, got 'x'"),
        (MINIMAL + "side_bets = [1]", "side_bets: expected a text, got 1"),
        (MINIMAL + 'side_bets = ["nope"]', "side_bets: unknown side bet 'nope'; the side bets are 21+3, "),
        (MINIMAL + 'side_bets = ["no/such.toml"]', "side_bets: cannot read side bet 'no/such.toml': No such file"),
        (MINIMAL + 'side_bets = ["21+3", "21+3"]', "side_bets: '21+3' is there already"),
        (MINIMAL + 'sidebets = ["x"]', "sidebets: unknown key; did you mean 'side_bets'?"),
        (MINIMAL + "zzz = 1", "zzz: unknown key; expected one of name, title, "),
        (MINIMAL + "decks = 6", "decks: unknown key"),
        (MINIMAL + "published = 3", "published: expected a table, [published], got 3"),
        (MINIMAL + '[published]\nrtp = "99.15"', "published.rtp: expected a percentage"),
        (MINIMAL + "[published]\nrtp = 99.15", "published.rtp: expected a text"),
        (
            MINIMAL + '[published]\nrtp = "999.15%"',
            "published.rtp: expected a percentage such as '99.15%', got '999.15%' (the RTP",
        ),
        (
            MINIMAL + '[published]\nhouse_edge = "-101%"',
            "published.house_edge: expected a percentage such as '99.15%', got '-101%' (the",
        ),
        (MINIMAL + '[published]\nhouse-edge = "1%"', "published.house-edge: unknown key; did you mean 'house_edge'?"),
        (MINIMAL + "states = 1", "states: expected a table, [states], got 1"),
        (MINIMAL + '[states]\ndecks = "eight"', "decks: expected a whole number from 1 to 100,000, or infinite"),
        (MINIMAL + "[states]\ndecks = true", "decks: expected a whole number"),
        (MINIMAL + "[states]\ndecks = 8.0", "decks: expected a whole number"),
        (MINIMAL + "[states]\ndecks = 2024-01-01", "decks: expected a whole number"),
        (MINIMAL + "[states]\ndealer_hits_soft_17 = 1", "dealer_hits_soft_17: expected true or false, got 1"),
        (MINIMAL + "[states]\nblackjack_pays = nan", "blackjack_pays: expected a payout"),
        (MINIMAL + "[states]\ndeks = 6", "states: unknown rule 'deks'; did you mean 'decks'?"),
        (MINIMAL + "[assumed]\npush_22 = true", "assumed: unknown rule 'push_22'; "),
        (MINIMAL + "[states.decks]\nvalue = 6", "states.decks: expected a value, got a table"),
        (MINIMAL + "[states]\ndecks = 6\n[assumed]\ndecks = 8", "assumed.decks: the rule is already under states"),
        (MINIMAL + "[open]\ndecks = 6", "open.decks: expected a table with value and other_readings, got 6"),
        (MINIMAL + "[open.deck]\nvalue = 6\nother_readings = [8]", "open: unknown rule 'deck'"),
        (MINIMAL + "[open.decks]\nother_readings = [8]", "open.decks.value: missing"),
        (MINIMAL + "[open.decks]\nvalue = 6", "open.decks.other_readings: missing"),
        (MINIMAL + "[open.decks]\nvalue = 6\nother_readings = []", "open.decks.other_readings: expected a list"),
        (MINIMAL + "[open.decks]\nvalue = 6\nother_readings = 8", "open.decks.other_readings: expected a list"),
        (MINIMAL + "[open.decks]\nvalue = 6\nother_readings = [0]", "open.decks.other_readings: decks: expected"),
        (MINIMAL + '[open.decks]\nvalue = 6\nother_readings = ["6"]', "open.decks.other_readings: '6' is the same"),
        (
            MINIMAL + '[open.blackjack_pays]\nvalue = "6/5"\nother_readings = ["3/2", "1.5"]',
            "open.blackjack_pays.other_readings: '1.5' is the same value as '3/2', which is there already",
        ),
        (MINIMAL + "[open.decks]\nvalue = 6\nother_readings = [8]\nwhy = 1", "open.decks.why: unknown key"),
        (MINIMAL + "[varies.decks]\nvalue = 6\nother_readings = [8]\nnote = 1", "varies.decks.note: expected a text"),
        (MINIMAL + '[states]\nhole_card = "none"\npeek_under = "T"', "hole_card=none contradicts peek_under=T"),
    ],
)
def test_mistakes_name_the_file_and_the_key(text: str, message: str) -> None:
    assert refused(text).startswith(message)


def test_errors_are_errors_of_this_package() -> None:
    assert issubclass(CatalogError, OddsError)
    assert issubclass(CatalogError, ValueError)


def example() -> Game:
    blocks = re.findall(r"```toml\n(.*?)```", FORMATS.read_text(encoding="utf-8"), re.DOTALL)
    return CATALOGUE.parse(blocks[0], "docs/formats.md")


def test_the_example_of_the_documentation() -> None:
    game = example()
    assert game.rules == Rules(decks=6, dealer_hits_soft_17=True, blackjack_pays="6/5", double_on="9-11", max_hands=3)
    assert game.aliases == ("corner",)
    assert game.side_bets == ("21+3",)
    assert game.published_rtp == "98.1%"
    assert fields_with(game, "states") == ("decks", "dealer_hits_soft_17", "blackjack_pays", "double_on", "max_hands")
    assert game.provenance["double_after_split"].readings == (True, False)
    assert game.provenance["surrender"].readings == ("none", "late")
    assert game.provenance["surrender"].note == "The tables upstairs offer it."


@pytest.mark.parametrize("name", FIELDS)
def test_the_documentation_describes_every_rule_as_the_program_does(name: str) -> None:
    field = FIELDS[name]
    row = [f"`{name}`", written(field.default), field.allowed, field.shorthand, field.favours, field.meaning]
    assert f"| {' | '.join(row)} |\n" in FORMATS.read_text(encoding="utf-8")
