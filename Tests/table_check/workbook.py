"""Holds a workbook against the CSV files of the same report, cell by cell.

usage: workbook.py WORKBOOK FOLDER             the workbook, as openpyxl reads it
       workbook.py --saved WORKBOOK FOLDER     the same, saved by another program, which sees to heads and filters itself
       workbook.py --strip WORKBOOK OUT        a copy whose formulas have lost their values, to be computed anew
       workbook.py --computed COPY WORKBOOK    the values that another program computed, against those in the workbook
       workbook.py --opened BOOKS FOLDER       CSV files that another program opened with every column as text, and saved
"""
import datetime
import re
import sys
from collections import Counter
from decimal import Decimal

import openpyxl
from openpyxl.utils.escape import unescape
from tables import digits, tables, unguarded

ROWS_MAX = 1_048_576
GROUPS = ("scope", "environment", "status", "is_provisional")
# Apart by this much two instants are the same: a spreadsheet keeps milliseconds.
NEAR = datetime.timedelta(milliseconds=1)


# Money of the tie-out, and the column that names its currency: said here once more, so that a schema that calls money text is found out.
SHARED = {"units of customer_currency": ["l1_gross", "l3_gross", "unexplained_amount", "not_yet_settled_amount"]
          + [f"explained_T{number}_amount" for number in range(1, 19)],
          "units of proceeds_currency": ["l1_expected_proceeds", "l3_extended_share", "diff_proceeds"],
          "customer_currency per unit": ["customer_price"], "proceeds_currency per unit": ["unit_partner_share"]}
MONEY = {
    "tieout_cells": SHARED,
    "cells": SHARED,
    "coverage": {"units of currency": [
        "amount", "proved_amount", "explained_amount", "unexplained_amount", "not_yet_settled_amount"]},
    "tieout_regions": {
        "units of proceeds_currency": [
            "earned_detail", "earned_financial", "earned_payments_csv", "diff_detail_vs_financial", "brought_forward",
            "pre_tax_subtotal", "input_tax", "adjustments", "withholding_tax", "total_owed", "total_owed_recomputed", "diff",
            "carried_forward"],
        "units of bank_ccy": ["proceeds_bank_ccy"], "units of estimated_ccy": ["estimated_proceeds"],
        "bank_ccy": ["bank_amount", "bank_diff"], "": ["rate_printed", "rate_derived", "estimated_rate"]},
    "tieout_bridge": {"currency": ["amount"]},
    "tieout_identities": {"": ["left", "right", "difference"]},
    "restatement": {"": ["first_reported", "now", "delta"]},
    "payments": {
        "units of currency": [
            "earned", "pre_tax_subtotal", "input_tax", "adjustments", "withholding_tax", "total_owed", "balance"],
        "units of bank_currency": ["proceeds"]},
}
DAYS = {"tieout_cells": ["transaction_day", "settlement_from", "settlement_to"], "coverage": ["starts_on", "ends_on"],
        "tieout_regions": ["paid_on", "starts_on", "ends_on"], "finance_files": ["period_from", "period_to"]}


def check_types(table):
    fields = {field["name"]: field for field in table.fields}
    for unit, names in MONEY.get(table.name, {}).items():
        for name in names:
            have = (fields[name]["type"], fields[name].get("unit", ""))
            assert have == ("number", unit), f"{table.name}.{name} is {have}, not a number, {unit}"
    for name in DAYS.get(table.name, []):
        assert fields[name]["type"] == "date", f"{table.name}.{name} is no date"


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
        amount = Decimal(text).scaleb(-3) if kind == "integer" else Decimal(text)
        if kind == "number" and sum(map(str.isdigit, text)) > 15:
            assert value == text, f"{where}: {value!r}, not {text} as text"
            return
        assert isinstance(value, (int, float)) and value == float(amount), f"{where}: {value!r}, not {amount}"
        want = digits(amount, currency)
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
        want = float(text) if sum(map(str.isdigit, text)) <= 15 else text
        assert value == want, f"{where}: {value!r}, not {text}"


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
            if text and not field.get("balance") and (table.is_money(field) or field.get("unit") == "count"):
                currency = table.currency(field, row)
                sums[(table.name, title(field), *group, "" if currency is None else currency)] += table.amount(field, text)
    return sums


def check_totals(values, formulas, all_tables):
    wanted = Counter()
    for table in all_tables:
        wanted.update(wanted_totals(table))
    found = {}
    for number, cells in enumerate(values["totals"].iter_rows(min_row=2, max_col=8), start=2):
        if cells[0].value is None:
            continue
        key = tuple(cell.value or "" for cell in cells[:7])
        assert key not in found, f"totals row {number}: {key} twice"
        # As the fewest digits tell it: those that the sum has.
        found[key] = Decimal(repr(cells[7].value))
        formula = formulas["totals"].cell(number, 8).value
        assert isinstance(formula, str) and formula.startswith("="), f"totals row {number}: {formula!r} is no formula"
    assert found == wanted, f"totals differ: {sorted(set(found.items()) ^ set(wanted.items()))[:10]}"
    return len(found)


def check(path, folder, is_ours=True):
    values = openpyxl.load_workbook(path, data_only=True)
    formulas = openpyxl.load_workbook(path)
    all_tables = tables(folder)
    for table in all_tables:
        check_types(table)
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


def opened(books, folder):
    """Every cell of every CSV is the text that it was."""
    for table in tables(folder):
        sheet = openpyxl.load_workbook(f"{books}/{table.name}.xlsx").active
        rows = list(sheet.iter_rows(values_only=True))
        assert len(rows) == len(table.rows) + 1, f"{table.name}: {len(rows) - 1} rows, not {len(table.rows)}"
        for number, (have, want) in enumerate(zip(rows, [table.columns] + table.rows), start=1):
            assert list(have) == [cell or None for cell in want], f"{table.name} line {number}: {have}, not {want}"
        print(f"{table.name}: {len(rows) - 1} rows")


if __name__ == "__main__":
    if sys.argv[1] == "--strip":
        openpyxl.load_workbook(sys.argv[2]).save(sys.argv[3])
    elif sys.argv[1] == "--opened":
        opened(sys.argv[2], sys.argv[3])
    elif sys.argv[1] == "--computed":
        computed(sys.argv[2], sys.argv[3])
    elif sys.argv[1] == "--saved":
        check(sys.argv[2], sys.argv[3], is_ours=False)
    else:
        check(sys.argv[1], sys.argv[2])
