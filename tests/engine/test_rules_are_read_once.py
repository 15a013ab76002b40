"""Rules are read in three modules of the engine; nothing else below the tables and reports looks at a field of them."""

import ast
from pathlib import Path

import pytest

import odds
from odds.game.fields import FIELDS

PACKAGE = Path(odds.__file__).parent
READERS = {"engine/legal.py", "engine/pays.py", "engine/bonuses.py", "engine/dealer.py"}
QUESTIONS = {"may_double", "tie_loses", "peeks_under"}  # methods of `Rules` that answer for fields
FLOORS = ("engine", "numbers", "results", "strategy")
MODULES = sorted(str(path.relative_to(PACKAGE)) for floor in FLOORS for path in (PACKAGE / floor).glob("*.py"))


def fields_read(source: str) -> list[str]:
    """Which fields of rules a text looks at: attributes of what is called `rules`, or said to be `Rules`."""
    tree = ast.parse(source)
    arguments = [node for node in ast.walk(tree) if isinstance(node, ast.arg) and node.annotation is not None]
    called = {node.arg for node in arguments if "Rules" in ast.unparse(node.annotation)} | {"rules"}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in {*FIELDS, *QUESTIONS}:
            of = node.value
            name = of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""
            if name in called:
                found.append(ast.unparse(node))
    return found


def test_the_test_sees_them() -> None:
    source = "def f(game: Rules, at):\n    return game.charlie, at.rules.decks, rules.tie_loses(17), at.surrender"
    assert sorted(fields_read(source)) == ["at.rules.decks", "game.charlie", "rules.tie_loses"]
    for reader in READERS:
        assert fields_read((PACKAGE / reader).read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", [module for module in MODULES if module not in READERS])
def test_no_field_is_read(module: str) -> None:
    assert fields_read((PACKAGE / module).read_text(encoding="utf-8")) == []


def test_the_kernel_knows_no_rule() -> None:
    """No field is named where hands are valued; the referee beside it reads the written rules, on purpose."""
    ext = PACKAGE.parent / "ext"
    if not ext.is_dir():
        pytest.skip("installed without its sources")
    sources = [path for path in ext.iterdir() if path.suffix in (".h", ".pxi", ".pyx")]
    texts = {path.name: path.read_text(encoding="utf-8") for path in sources}
    referee = {"_simulator.pyx", "simulator.pxi", "side_bets.pxi"}
    named = {
        (name, field)
        for name, text in texts.items()
        if name not in referee
        for field in {*FIELDS, "tie_cost", "may_double"} - {"surrender", "insurance", "even_money", "decks"}
        if field in text
    }
    assert named == set()
