"""The notebook under `docs/` runs, and shows what it says. `python tests/test_tour.py` writes it anew."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

TOUR = Path(__file__).parents[1] / "docs" / "tour.ipynb"
# The last digits of a double may be others on another machine.
NEAR = 1e-9


def executed() -> Any:
    """The notebook with the outputs that its code has now."""
    notebook = nbformat.read(TOUR, as_version=4)
    client = NotebookClient(notebook, timeout=120, record_timing=False, extra_arguments=["--log-level=ERROR"])
    client.execute(cwd=str(TOUR.parents[1]))
    return notebook


def shown(notebook: Any) -> list[dict[str, str]]:
    """What is shown, by cell: texts and pages by kind."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [{kind: text for output in cell.outputs for kind, text in output.data.items()} for cell in cells]


def test_its_outputs_are_those_of_its_code() -> None:
    stored, now = shown(nbformat.read(TOUR, as_version=4)), shown(executed())
    assert len(stored) == len(now) > 10
    for before, after in zip(stored, now, strict=True):
        assert before.keys() == after.keys() != set()
        for kind, text in before.items():
            words, numbers = apart(text)
            words_now, numbers_now = apart(after[kind])
            assert words == words_now
            assert numbers == pytest.approx(numbers_now, rel=NEAR, abs=NEAR)


def apart(text: str) -> tuple[list[str], list[float]]:
    """A text without its decimal numbers, and those."""
    parts = re.split(r"(\d+\.\d+(?:e[+-]\d+)?|\d+e[+-]\d+)", text)
    return parts[::2], [float(number) for number in parts[1::2]]


if __name__ == "__main__":
    nbformat.write(executed(), TOUR)
