"""Holds a workbook against the CSV files of the same report, cell by cell.

usage: workbook.py WORKBOOK FOLDER             the workbook, as openpyxl reads it
       workbook.py --saved WORKBOOK FOLDER     the same, saved by another program, which sees to heads and filters itself
       workbook.py --strip WORKBOOK OUT        a copy whose formulas have lost their values, to be computed anew
       workbook.py --computed COPY WORKBOOK    the values that another program computed, against those in the workbook
"""
import datetime
import re
import sys
from collections import Counter, defaultdict

import openpyxl
from openpyxl.utils.escape import unescape
from tables import digits, tables, unguarded

ROWS_MAX = 1_048_576
GROUPS = ("scope", "environment", "status")
# Apart by this much two instants are the same: a spreadsheet keeps milliseconds.
NEAR = datetime.timedelta(milliseconds=1)


def title(field):
    name = field["name"]
    money = field.get("unit", "").startswith("milliunits of ")
    return name[: -len("_milliunits")] if money and name.endswith("_milliunits") else name


def sheets(book, table):
    """The sheets of a table, in order."""
    names = [table.name] + [f"{table.name} ({number})" for number in range(2, 100)]
    return [book[name] for name in names if name in book.sheetnames]


def check_cell(where, cell, formula, text, field, currency):
    kind, value = field["type"], cell.value
    if text == "":
        assert value is None, f"{where}: {value!r} for an empty cell"
        return
    # LibreOffice saves a truth as a formula without arguments.
    is_truth = kind == "boolean" and formula.value in ("=TRUE()", "=FALSE()")
    is_difference = isinstance(formula.value, str) and formula.data_type == "f" and not is_truth
    assert not is_difference or field["name"] == "difference", f"{where}: a formula, {formula.value}"
    if kind == "string":
        want = unguarded(text)
        assert cell.data_type in ("s", "inlineStr") and unescape(value) == want, f"{where}: {value!r}, not {want!r}"
    elif currency is not None:
        assert isinstance(value, (int, float)) and round(value * 1000) == int(text), f"{where}: {value!r}, not {text}"
        want = digits(int(text), currency)
        have = re.fullmatch(r"#,##0(?:\.(0+))?", cell.number_format)
        assert have and len(have.group(1) or "") == want, f"{where}: {cell.number_format}, not {want} digits ({currency})"
    elif kind == "integer":
        want = int(text)
        assert value == (want if abs(want) <= 10**15 else text), f"{where}: {value!r}, not {text}"
    elif kind == "boolean":
        assert value is (text == "true"), f"{where}: {value!r}, not {text}"
    elif kind == "date":
        assert cell.is_date and value.date().isoformat() == text, f"{where}: {value!r}, not {text}"
    elif kind == "datetime":
        want = datetime.datetime.fromisoformat(text).replace(tzinfo=None)
        assert cell.is_date and abs(value - want) <= NEAR, f"{where}: {value!r}, not {text}"
    else:
        assert value == float(text), f"{where}: {value!r}, not {text}"


def check_table(values, formulas, table, is_ours):
    parts = sheets(values, table)
    assert parts, f"{table.name}: no sheet"
    rows = iter(table.rows)
    count = 0
    for sheet in parts:
        head = [cell.value for cell in sheet[1]]
        assert head == [title(field) for field in table.fields], f"{sheet.title}: head {head}"
        assert not is_ours or sheet.freeze_panes == "A2", f"{sheet.title}: head not frozen"
        assert not is_ours or sheet.auto_filter.ref, f"{sheet.title}: no filter"
        assert sheet.max_row <= ROWS_MAX
        for number, cells in enumerate(sheet.iter_rows(min_row=2, max_col=len(head)), start=2):
            row = next(rows, None)
            if row is None:
                assert all(cell.value is None for cell in cells), f"{sheet.title}: row {number} is not in the CSV"
                continue
            count += 1
            for cell, text, field in zip(cells, row, table.fields):
                where = f"{sheet.title}!{cell.coordinate} {field['name']}"
                check_cell(where, cell, formulas[sheet.title][cell.coordinate], text, field, table.currency(field, row))
    # Rows that are empty at the end of a sheet are not there for a reader.
    rest = [row for row in rows if any(row)]
    assert not rest, f"{table.name}: {len(rest)} rows are not in the workbook"
    return count


def wanted_totals(table):
    """Totals by sheet, column, group and currency, from the CSV alone."""
    sums = Counter()
    for row in table.rows:
        cells = dict(zip(table.columns, row))
        group = tuple(cells.get(name, "") for name in GROUPS)
        for field in table.fields:
            text = cells[field["name"]]
            if text and (table.is_money(field) or field.get("unit") == "count"):
                currency = table.currency(field, row)
                sums[(table.name, title(field), *group, "" if currency is None else currency, currency is not None)] += int(text)
    return sums


def check_totals(values, formulas, all_tables):
    wanted = Counter()
    for table in all_tables:
        wanted.update(wanted_totals(table))
    money = defaultdict(bool, {key[:-1]: key[-1] for key in wanted})
    found = {}
    for number, cells in enumerate(values["totals"].iter_rows(min_row=2, max_col=7), start=2):
        if cells[0].value is None:
            continue
        key = tuple(cell.value or "" for cell in cells[:6])
        assert key not in found, f"totals row {number}: {key} twice"
        found[key] = round(cells[6].value * 1000) if money[key] else cells[6].value
        formula = formulas["totals"].cell(number, 7).value
        assert isinstance(formula, str) and formula.startswith("="), f"totals row {number}: {formula!r} is no formula"
    wanted = {key[:-1]: value for key, value in wanted.items()}
    assert found == wanted, f"totals differ: {sorted(set(found.items()) ^ set(wanted.items()))[:10]}"
    return len(found)


def check(path, folder, is_ours=True):
    values = openpyxl.load_workbook(path, data_only=True)
    formulas = openpyxl.load_workbook(path)
    all_tables = tables(folder)
    for table in all_tables:
        rows = check_table(values, formulas, table, is_ours)
        print(f"{table.name}: {rows} rows, {len(table.columns)} columns")
    print(f"totals: {check_totals(values, formulas, all_tables)}")
    known = {sheet.title for table in all_tables for sheet in sheets(values, table)} | {"summary", "totals", "columns"}
    assert set(values.sheetnames) == known, f"sheets {values.sheetnames}"
    described = {(row[0].value, row[1].value) for row in values["columns"].iter_rows(min_row=2) if row[4].value}
    for table in all_tables:
        missing = {title(field) for field in table.fields} - {name for sheet, name in described if sheet == table.name}
        assert not missing, f"{table.name}: not described: {missing}"


def computed(copy, original):
    """Every formula of the copy, computed by somebody else, has the value that stands in the original."""
    theirs = openpyxl.load_workbook(copy, data_only=True)
    ours = openpyxl.load_workbook(original, data_only=True)
    formulas = openpyxl.load_workbook(original)
    count = 0
    for sheet in formulas:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    continue
                count += 1
                have, want = (book[sheet.title][cell.coordinate].value for book in (theirs, ours))
                assert have == want, f"{sheet.title}!{cell.coordinate} {cell.value}: {have!r}, not {want!r}"
    assert count, "no formula"
    print(f"formulas: {count}")


if __name__ == "__main__":
    if sys.argv[1] == "--strip":
        openpyxl.load_workbook(sys.argv[2]).save(sys.argv[3])
    elif sys.argv[1] == "--computed":
        computed(sys.argv[2], sys.argv[3])
    elif sys.argv[1] == "--saved":
        check(sys.argv[2], sys.argv[3], is_ours=False)
    else:
        check(sys.argv[1], sys.argv[2])
