"""Compares what a tie-out of the three periods of a simulated money world found with what was planted in it.

usage: python3 truth.py WORLD CELLS BRIDGE IDENTITIES      (the world's folder; the export `cells`; tieout_bridge.csv and
tieout_identities.csv of the report `tieout`)

Prints a line for each kind of finding and each currency of the bank; the exit status is 1 when anything that was planted is
not named in its cell with its units, anything else is named, or a bridge does not close.
"""
import csv
import re
import sys
from collections import defaultdict
from decimal import Decimal

PARTS = ["fiscal_period", "sku", "storefront", "customer_currency", "transaction_day", "customer_price", "sign"]
# Findings that stand in a cell's difference.
IN_CELL = {"explained", "open", "unexplained"}
APART = {"sandbox": "T11", "family": "T15"}
# Lines of the bridge that tell what was planted between earned and the bank.
LINES = {"rounding": "52", "tax": "32", "input_tax": "39", "adjustments": "40", "withholding_tax": "41",
         "brought_forward": "38", "carried_forward": "42"}
BANK_DIFFERS, BANK = "54", "55"
SHOWN_MAX = 10


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def cell(row):
    return tuple(row[part] for part in PARTS)


def planted(world):
    truth = defaultdict(lambda: defaultdict(int))
    for row in rows(f"{world}/truth/cells.csv"):
        kind = row["found_as"]
        word = kind if kind in ("open", "unexplained") else row["cause"]
        truth["cell" if kind in IN_CELL else kind][cell(row), word] += int(row["units"])
    return truth


def found(cells):
    named = defaultdict(dict)
    columns = [(f"explained_T{number}_units", f"T{number}") for number in range(1, 19)]
    columns += [("unexplained_units", "unexplained"), ("not_yet_settled_units", "open")]
    for row in rows(cells):
        key = cell(row)
        for column, word in columns:
            if int(row[column]):
                named["cell"][key, word] = int(row[column])
        for part in filter(None, row["counted_apart"].split(", ")):
            words = part.split(" ")
            if words[0] in APART:
                named["apart"][key, APART[words[0]]] = int(words[1])
        # Units at the greater of two shares stand last; an average is none that anybody may rely on.
        shares = row["unit_shares"].split(", ")
        if row["share_basis"] == "actual" and row["sign"] == "1" and len(shares) == 2:
            named["share"][key, "T8"] = int(shares[1].split(" ")[-1])
    return named


def compare(name, truth, reported):
    """Prints how two tables of figures agree; returns whether they do."""
    wrong = [(key, truth.get(key), reported.get(key)) for key in sorted({*truth, *reported}, key=str)
             if truth.get(key, 0) != reported.get(key, 0)]
    lacking = sum(1 for _, was, is_ in wrong if is_ is None)
    strange = sum(1 for _, was, is_ in wrong if was is None)
    print(f"{name:<10} {len(truth):>8} planted {len(truth) - len([row for row in wrong if row[1] is not None]):>8} named as planted"
          f" {lacking:>6} not named {strange:>6} named and not planted {len(wrong) - lacking - strange:>6} with other units")
    for key, was, is_ in wrong[:SHOWN_MAX]:
        print(f"  {key}: planted {was}, found {is_}")
    return not wrong


def payments(world, bridge):
    """What was planted in payments against its line of the bridge, and whether each currency closes to the bank."""
    truth, reported, closed, is_closed = defaultdict(Decimal), {}, [], True
    for row in rows(f"{world}/truth/payments.csv"):
        truth[row["fiscal_period"], LINES[row["kind"]], row["currency"]] += Decimal(row["amount"])
    for row in rows(bridge):
        amount = Decimal(row["amount"] or "0")
        if row["line_no"] in LINES.values() and amount:
            reported[row["fiscal_period"], row["line_no"], row["currency"]] = amount
        if row["line_no"] == BANK_DIFFERS and amount:
            is_closed = False
            print(f"  {row['fiscal_period']} {row['currency']} does not close to the bank: {amount}")
        if row["line_no"] == BANK:
            closed.append(f"{row['fiscal_period']} {row['currency']} {amount}")
    agrees = compare("payments", dict(truth), reported)
    paid = {(row["fiscal_period"]) for row in rows(f"{world}/truth/payments.csv")}
    print("bank closes: " + (", ".join(closed) if is_closed else "no"))
    return agrees and is_closed and len(closed) == 2 * len(paid)


def identities(path):
    """Whether every identity of the report holds, and how many there are."""
    all_rows = list(rows(path))
    broken = [row for row in all_rows if row["holds"] != "yes"]
    print(f"identities {len(all_rows):>8}, of which {len(broken)} do not hold")
    for row in broken[:SHOWN_MAX]:
        print(f"  {row['identity']} {row['fiscal_period']} {row['currency']}: {row['difference']}")
    return bool(all_rows) and not broken


def main(world, cells, bridge, identity_list):
    truth, reported = planted(world), found(cells)
    results = [compare(kind, truth[kind], reported[kind]) for kind in ["cell", "apart", "share"]]
    unknown = [sum(abs(units) for (_, word), units in side["cell"].items() if word == "unexplained") for side in (truth, reported)]
    print(f"UNEXPLAINED: planted {unknown[0]} units, found {unknown[1]}")
    results += [payments(world, bridge), identities(identity_list), min(len(truth[kind]) for kind in ["cell", "apart", "share"]) > 2]
    return all(results)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(re.search(r"usage: .*", __doc__).group(0))
    sys.exit(0 if main(*sys.argv[1:]) else 1)
