"""What is solved so far, kept in a file until all is done, so that work that was interrupted can go on."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING, Any, BinaryIO

from odds import __version__
from odds.errors import OddsError
from odds.files import check_output
from odds.sweep.charts import ChartCell
from odds.sweep.rows import codes_id
from odds.sweep.solve import Solved

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Self

    from odds.sweep.solve import Asked


def journal_path(out: Path) -> Path:
    """Return where that is kept which will be in a file."""
    return out.with_name(f"{out.name}.part")


class Journal:
    """The sets that are solved, by their ids: figures in memory, charts too, or in a file if there is one.

    The file has a line of what is asked, and one for each set, written as soon as it is solved. A last line that is
    torn is passed over, and written over.

    Attributes:
        figures: of each set, see `Solved`.
        codes: of each set with a chart, the id of its codes.

    Args:
        asked: what is asked of every set.
        path: of the file; everything stays in memory if left out.
        resume: take what is in the file; else there must be none.

    Raises:
        OddsError: there is a file already, it is not one of these, or cannot be written.
    """

    def __init__(self, asked: Asked, path: Path | None = None, *, resume: bool = False) -> None:
        self.figures: dict[str, dict[str, float | None]] = {}
        self.codes: dict[str, str] = {}
        self.path = path
        self._charts: dict[str, tuple[ChartCell, ...]] = {}
        self._places: dict[str, int] = {}
        self._file: BinaryIO | None = None
        self._head = _line({"odds sweep": __version__, "asked": _plain(asked)})
        if path is None:
            return
        if path.exists() and not resume:
            raise OddsError(f"{str(path)!r} is there, kept of an interrupted sweep: go on with --resume, or remove it")
        check_output(path)
        if path.exists():
            self._file = path.open("r+b")
            try:
                self._read(self._file)
            except OddsError:
                self.close()
                raise

    def add(self, solved: Iterable[Solved]) -> None:
        """Keep some sets."""
        if self.path is None:
            for one in solved:
                self._keep(one)
            return
        if self._file is None:
            self._file = self.path.open("x+b")
            self._file.write(self._head)
        self._file.seek(0, os.SEEK_END)
        for one in solved:
            self._keep(one)
            self._places[one.id] = self._file.tell()
            self._file.write(_line(one))
        self._file.flush()

    def chart(self, set_id: str) -> tuple[ChartCell, ...]:
        """Return the cells of the chart of a set."""
        if self._file is None:
            return self._charts[set_id]
        self._file.seek(self._places[set_id])
        cells = _solved(self._file.readline()).chart
        assert cells is not None
        return cells

    def remove(self) -> None:
        """Remove the file: all is done."""
        self.close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file, which stays."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _keep(self, one: Solved) -> None:
        self.figures[one.id] = one.figures
        if one.chart is not None:
            self.codes[one.id] = codes_id(one.chart)
            if self.path is None:
                self._charts[one.id] = one.chart

    def _read(self, file: BinaryIO) -> None:
        """Take what is in the file, and cut off what is torn."""
        first = file.readline()
        if not self._head.startswith(first) if first[-1:] != b"\n" else first != self._head:
            raise OddsError(f"{str(self.path)!r}: kept of another sweep: {_difference(first, self._head)}; remove it")
        if first != self._head:
            file.seek(0)
            file.write(self._head)
        place = file.tell()
        for line in file:
            try:
                one = _solved(line)
            except (ValueError, TypeError):
                break
            self._keep(one)
            self._places[one.id] = place
            place += len(line)
        file.truncate(place)


def _plain(asked: Asked) -> dict[str, Any]:
    text = None if asked.strategy is None else sha256(asked.strategy.to_csv().encode()).hexdigest()[:16]
    return {
        "play": asked.play,
        "split_class": asked.split_class,
        "strategy": text,
        "columns": sorted(asked.columns),
        "charts": asked.charts,
        "side_bets": list(asked.side_bets),
    }


def _line(data: object) -> bytes:
    return json.dumps(data, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _solved(line: bytes) -> Solved:
    """Return what a line says.

    Raises:
        ValueError: it is torn.
    """
    if not line.endswith(b"\n"):
        raise ValueError("torn")
    found, figures, cells = json.loads(line)
    if not isinstance(found, str) or not isinstance(figures, dict):
        raise ValueError("not a set")
    return Solved(found, figures, None if cells is None else tuple(ChartCell(*cell) for cell in cells))


def _difference(first: bytes, head: bytes) -> str:
    """Return what a file says it was asked otherwise than now."""
    try:
        there, here = (json.loads(line) for line in (first, head))
        pairs = {"version": (there["odds sweep"], here["odds sweep"])}
        pairs |= {name: (there["asked"].get(name), value) for name, value in here["asked"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return "not what odds sweep writes"
    return ", ".join(f"{name} {was}, now {now}" for name, (was, now) in pairs.items() if was != now)
