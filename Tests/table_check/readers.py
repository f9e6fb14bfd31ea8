"""Reads every CSV of a folder by its schema with pandas and with DuckDB, and holds each cell against the bytes.

usage: readers.py FOLDER
"""
import datetime
import json
import os
import sys

import duckdb
import pandas
from tables import tables, unguarded

PANDAS = {"integer": "Int64", "number": "Float64", "boolean": "boolean"}
DUCKDB = {"integer": "HUGEINT", "number": "DOUBLE", "boolean": "BOOLEAN", "date": "DATE", "datetime": "TIMESTAMPTZ"}


def instant(text):
    return datetime.datetime.fromisoformat(text)


def text_of(value, kind):
    """A value as the CSV spells it, as far as the type allows."""
    if kind == "boolean":
        return "true" if value else "false"
    return value.isoformat() if kind == "date" and not isinstance(value, str) else str(value)


def same(value, text, kind):
    if kind == "datetime":
        return instant(value if isinstance(value, str) else value.isoformat()) == instant(text)
    if kind == "number":
        return float(value) == float(text)
    return text_of(value, kind) == text


def compare(how, table, rows):
    assert len(rows) == len(table.rows), f"{how} {table.name}: {len(rows)} rows, not {len(table.rows)}"
    for number, (have, want) in enumerate(zip(rows, table.rows), start=2):
        for value, text, field in zip(have, want, table.fields):
            is_null = value is None or value is pandas.NA or value is pandas.NaT or (isinstance(value, float) and value != value)
            good = is_null if text == "" else not is_null and same(value, text, field["type"])
            assert good, f"{how} {table.name} line {number} {field['name']}: {value!r}, not {text!r}"


def by_pandas(table):
    types = {field["name"]: PANDAS.get(field["type"], "string") for field in table.fields}
    frame = pandas.read_csv(table.path, dtype=types, keep_default_na=False, na_values=table.schema["missingValues"])
    # Dates and instants come as text and are dates and instants only now.
    for field in table.fields:
        if field["type"] in ("date", "datetime"):
            pandas.to_datetime(frame[field["name"]], format="ISO8601", utc=True)
    return frame.astype(object).itertuples(index=False, name=None)


def by_duckdb(connection, table):
    types = {field["name"]: DUCKDB.get(field["type"], "VARCHAR") for field in table.fields}
    reading = duckdb.read_csv if connection is None else connection.read_csv
    return reading(
        table.path, header=True, dtype=types, delimiter=",", quotechar='"', escapechar='"', na_values="",
    ).fetchall()


def compare_json(folder, tables):
    """The JSON of a report, if there is one, has every table of its CSV files with the same columns and values."""
    names = [name for name in os.listdir(folder) if name.endswith(".json") and not name.endswith(".schema.json") and name != "manifest.json"]
    contents = {}
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            contents.update(json.load(file, parse_int=str, parse_float=str))
    for table in tables if names else []:
        want = [dict(zip(table.columns, map(unguarded, row))) for row in table.rows]
        have = [{column: value or "" for column, value in row.items()} for row in contents[table.name]]
        assert have == want, f"JSON {table.name}: its rows are not those of the CSV"


if __name__ == "__main__":
    compare_json(sys.argv[1], tables(sys.argv[1]))
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    for table in tables(sys.argv[1]):
        assert table.schema["description"], f"{table.name} is not described"
        for field in table.fields:
            assert field["description"], f"{table.name}.{field['name']} is not described"
        compare("pandas", table, list(by_pandas(table)))
        compare("DuckDB", table, by_duckdb(connection, table))
        print(f"{table.name}: {len(table.rows)} rows")
