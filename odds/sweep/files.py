"""Tables of a grid as files: rows and charts as lines of JSON, CSV or Parquet."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from odds.errors import OddsError
from odds.extras import optional_module
from odds.files import is_standard, replacing
from odds.game.fields import FIELDS, plain, show_value, written
from odds.sweep.charts import ChartCell
from odds.sweep.rows import CHART_COLUMNS, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

# By the end of a file's name.
FORMS: Final = {".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet"}
_ENDS: Final = ", ".join(FORMS)
# Without these a file is none of rows.
_ROW_COLUMNS: Final = ("rules_id", "version", "play", "ev")
_AT_ONCE: Final = 10_000  # rows of a group of a Parquet file
_PARQUET: Final = "Parquet files"


def form_of(path: Path, what: str = "--out") -> str:
    """Return the form of a file by the end of its name: `jsonl`, `csv` or `parquet`; standard output takes CSV.

    Raises:
        OddsError: the end is another, or the form needs a library that is not installed.
    """
    if is_standard(path):
        return "csv"
    if (form := FORMS.get(path.suffix.lower())) is None:
        raise OddsError(f"{what}: expected a file that ends in {_ENDS}, got {str(path)!r}")
    if form == "parquet":
        optional_module("pyarrow.parquet", _PARQUET)
    return form


def lines(form: str, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table: of JSON an object for each row, or of CSV with its head.

    Args:
        form: `jsonl` or `csv`.
        columns: of the table, in their order.
        rows: with these columns.
    """
    if form == "jsonl":
        for row in rows:
            yield json.dumps(row, allow_nan=False) + "\n"
        return
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        yield text.getvalue()
        text.seek(0)
        text.truncate()
        writer.writerow([_cell(name, row[name]) for name in columns])
    yield text.getvalue()


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bool:
    """Write a table as a file in the form that its name ends in, row by row; it is there when all of it is written.

    Returns:
        Whether it replaced a file.

    Raises:
        OddsError: it cannot be written.
    """
    form, there = form_of(path), path.is_file()
    with replacing(path) as file:
        if form == "parquet":
            _write_parquet(file, columns, rows)
        else:
            for line in lines(form, columns, rows):
                file.write(line.encode())
    return there


def read_table(path: Path, *, charts: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the rows of a finished file, as they are in JSON whatever its form.

    Args:
        path: of the file.
        charts: it is one of charts.

    Raises:
        OddsError: it cannot be read, or is none; the message has the line.
    """
    form = form_of(path, "GAME")
    needed = CHART_COLUMNS if charts else _ROW_COLUMNS
    records = {"jsonl": _json_records, "csv": _csv_records, "parquet": _parquet_records}[form]
    number = 1
    try:
        for row in records(path):
            if missing := [name for name in needed if name not in row]:
                raise ValueError(
                    f"there is no {missing[0]!r}, as odds sweep writes it in each row{' of charts' * charts}"
                )
            yield row
            number += 1
    except OSError as error:
        raise OddsError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except ValueError as error:
        raise OddsError(f"{path}: row {number:,}: {' '.join(str(error).split())}") from None
    if number == 1:
        raise OddsError(f"{path}: there is no row in it")


def read_charts(path: Path) -> dict[str, tuple[ChartCell, ...]]:
    """Return the charts of a file, by `chart_id`.

    Raises:
        OddsError: as for `read_table`.
    """
    found: dict[str, list[ChartCell]] = {}
    for row in read_table(path, charts=True):
        found.setdefault(row["chart_id"], []).append(ChartCell(*(row[name] for name in ChartCell._fields)))
    return {chart_id: tuple(cells) for chart_id, cells in found.items()}


def _json_records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError(f"expected an object of JSON, got {show_value(line.rstrip())}")
            yield row


def _csv_records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, strict=True)
        try:
            head = next(reader, [])
            read = [_reader(name) for name in head]
            for cells in reader:
                if len(cells) != len(head):
                    raise ValueError(f"expected {len(head)} cells, got {len(cells)}")
                yield {name: take(cell) for name, take, cell in zip(head, read, cells, strict=True)}
        except csv.Error as error:
            raise ValueError(f"not CSV: {error}") from None


def _cell(column: str, value: Any) -> str:
    if column in FIELDS:
        return written(value)
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _reader(column: str) -> Callable[[str], Any]:
    """Return what reads the texts of a column; those that are few are read once."""
    kind = kind_of(column)

    def read(text: str) -> Any:
        if column in FIELDS:
            return plain(FIELDS[column].read(text))
        if not text:
            return None
        try:
            return {"true": True, "false": False}[text] if kind is bool else kind(text)
        except (KeyError, ValueError):
            raise ValueError(f"{column}: expected a {kind.__name__}, got {show_value(text)}") from None

    return cache(read) if column in FIELDS or kind is bool else read


def _write_parquet(file: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    arrow, parquet = optional_module("pyarrow", _PARQUET), optional_module("pyarrow.parquet", _PARQUET)
    types = {bool: arrow.bool_(), int: arrow.int64(), float: arrow.float64(), str: arrow.string()}
    schema = arrow.schema([(name, types[kind_of(name)]) for name in columns])
    as_text = [name in FIELDS and kind_of(name) is str for name in columns]
    source = iter(rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := list(islice(source, _AT_ONCE)):
            arrays = [
                arrow.array([written(row[name]) if text else row[name] for row in group], field.type)
                for name, text, field in zip(columns, as_text, schema, strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def _parquet_records(path: Path) -> Iterator[dict[str, Any]]:
    arrow, parquet = optional_module("pyarrow", _PARQUET), optional_module("pyarrow.parquet", _PARQUET)
    with path.open("rb") as file:
        try:
            table = parquet.ParquetFile(file)
            names = table.schema_arrow.names
            texts = {name: _reader(name) for name in names if name in FIELDS and kind_of(name) is str}
            for batch in table.iter_batches(_AT_ONCE):
                for row in batch.to_pylist():
                    yield {name: texts[name](value) if name in texts else value for name, value in row.items()}
        except arrow.ArrowException as error:
            raise ValueError(f"not a Parquet file: {error}") from None
