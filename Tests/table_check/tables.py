"""CSV files and their schemas, read with nothing but Python's own modules: the truth for what reads them otherwise."""
import csv
import json
import os
from decimal import Decimal

THREE = {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}
NONE = {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"}
MILLIUNITS = "milliunits of "
# Decimals of a currency.
UNITS = "units of "
csv.field_size_limit(1 << 24)


class Table:
    """One CSV with its schema."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)[: -len(".csv")]
        with open(path[: -len(".csv")] + ".schema.json", encoding="utf-8") as file:
            self.schema = json.load(file)
        self.fields = self.schema["fields"]
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        self.columns, self.rows = rows[0], rows[1:]
        assert self.columns == [field["name"] for field in self.fields], f"{self.name}: schema and header differ"

    def currency(self, field, row):
        """The currency of an amount in a row; None for what is no money."""
        unit = field.get("unit", "")
        prefix = next((prefix for prefix in (MILLIUNITS, UNITS) if unit.startswith(prefix)), None)
        if prefix is None:
            return None
        name = unit[len(prefix):]
        return row[self.columns.index(name)] if name in self.columns else ""

    def is_money(self, field):
        return field.get("unit", "").startswith((MILLIUNITS, UNITS))

    def amount(self, field, text):
        """What a cell adds to a total, exactly."""
        return Decimal(text).scaleb(-3) if field.get("unit", "").startswith(MILLIUNITS) else Decimal(text)


def tables(folder):
    names = sorted(name for name in os.listdir(folder) if name.endswith(".csv"))
    assert names, f"no CSV in {folder}"
    return [Table(os.path.join(folder, name)) for name in names]


def digits(amount, currency):
    """Digits after the point of an amount: those of the currency, or as many as it needs."""
    least = 0 if currency in NONE else 3 if currency in THREE else 2
    return max(least, -min(0, amount.normalize().as_tuple().exponent))


def unguarded(cell):
    """The text of a cell without the apostrophe that keeps a spreadsheet from computing the CSV's."""
    return cell[1:] if len(cell) > 1 and cell[0] == "'" and cell[1] in "=+-@\t\r\n" else cell
