"""Second, independent checker for the report pages of payrecon.

Purpose: recompute every figure and every sentence of a report folder from exports alone, and say where they differ.
It was written from the description of the product and the READMEs, never from the program's source, so that it
shares no assumption with its authors. Rules that no document states are marked "observed" in RULES below.

usage: python3 page_check.py REPORT_FOLDER EXPORT_FOLDER

REPORT_FOLDER  what `payrecon nightly --out` or `payrecon report` wrote: report.html or renewals.html, CSV, JSON, manifest.json.
EXPORT_FOLDER  NAME.csv of `payrecon export NAME --as-of T` at the report's own clock (orders, charges, transactions, matches,
               breaks, pending, signals, cases, subscriptions, parked, evidence, quarantine, runs, renewals-to-book).
               A subfolder `previous` may hold charges.csv and breaks.csv as of 24 hours before: with it the late arrivals
               and the movement of decided breaks are computed too, without it they are only held against bounds.

Each difference is one line `FILE: WHERE: page says X, exports say Y (rule)`; what the tool does not know how to check is
`unchecked: FILE: WHERE: TEXT`, which is a failure as well. Lines that begin with `note:` say what exports cannot tell.
Exit status: 0 no difference, 1 differences or unchecked text, 2 error.
"""
import csv
import hashlib
import json
import os
import re
import shlex
import sys
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from difflib import SequenceMatcher
from html.parser import HTMLParser
from zoneinfo import ZoneInfo, available_timezones

# ---------------------------------------------------------------------------------------------------------------------
# What documents (or, where they are silent, the pages themselves) say. "observed" = in no document.

RULES = {
    "exact": "M1-M2 exact, M3-M5 derived, M6 heuristic (note of the page)",
    "charges": "charges = exact + derived + heuristic + ambiguous + pending + broken + excluded (9.1)",
    "book": "booked: Production orders paid, delivered, refunded or revoked; a matched order counts on its charge's day (observed)",
    "bridge": "book + open lines + unexplained = Apple (9.1)",
    "breaks": "open = undecided + decided; amounts at stake count the undecided",
    "sandbox": "sandbox is kept out of every money figure",
    "move": "open today = open 24 hours ago + new - resolved (9.1)",
    "age": "whole days since opened_at; buckets 0-1, 2-7, 8-30, 31-60, >60 (9.2)",
    "order": "undecided first, most severe, then oldest; decided; resolved in 24 h (note of the page)",
    "rate": "matched of charges that carry money, in hundredths of a percent, rounded down (observed)",
    "top": "the largest undecided Production breaks of each currency, 20 at most (note of the page)",
    "input": "input = accepted + repeated + ignored + parked",
    "verdict": "failed > incomplete > breaks > warnings > pending > clean",
    "hash": "manifest.json has bytes and SHA-256 of each file (page Report files)",
    "same": "CSV, JSON and page say the same",
    "tz": "business day: the last whole day in the app's time zone",
    "text": "sentence pattern",
    "days": "days.csv: charges that carry money on their day, orders on the day they were created (observed)",
    "sla": "risk in the last quarter of the time between opened and due (observed)",
    "chart": "a bar or line is as long as its number says",
}
SEVERITIES = ("critical", "high", "medium", "low")
BUCKETS = (("0_1", "0-1", "0–1 d"), ("2_7", "2-7", "2–7 d"), ("8_30", "8-30", "8–30 d"),
           ("31_60", "31-60", "31–60 d"), ("over_60", ">60", "> 60 d"))
DECIDED = ("accepted", "dismissed", "written_off")
UNDECIDED = ("new", "persisting", "reopened")
BOOKED = ("paid", "delivered", "refunded", "revoked")
NO_DECIMALS = set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split())
THREE_DECIMALS = set("BHD IQD JOD KWD LYD OMR TND".split())
MATCHED = ("exact", "derived", "heuristic")
PARTS = MATCHED + ("ambiguous", "pending", "broken", "excluded")
CLASSES = set("""TX_NO_ORDER ORDER_NO_TX PAID_NOT_DELIVERED AMBIGUOUS_MATCH AMOUNT_DIFF CURRENCY_DIFF PRODUCT_DIFF
QUANTITY_DIFF USER_DIFF BUNDLE_DIFF APP_ID_DIFF FORGED_SIGNATURE GHOST_TX DUP_DELIVERY REPLAY_MULTI_USER DUP_CHARGE
ID_CONFLICT SANDBOX_IN_PROD PROD_IN_SANDBOX REFUND_NOT_APPLIED REFUND_NO_ORDER REFUND_REVERSED_NOT_APPLIED
REFUND_ONLY_OURS RENEWAL_NO_ORDER RENEWAL_MISSING ENTITLEMENT_OVERRUN ENTITLEMENT_SHORT LATE_VERIFICATION
FAMILY_NOT_SHAREABLE PRICE_OFF_CATALOG MISSED_NOTIFICATION UNRECOGNIZED_VALUE STALE_INPUT FORGED_STORM CELL_DIFF
L3_NO_L1 LATE_SETTLE NEVER_COLLECTED REFUND_UNSEEN COMMISSION_DIFF PAYMENT_DIFF FX_RATE_ROUNDING""".split())
DAILY = """scope business_day tz bundle_id environment currency tx_count tx_amount_milliunits order_count
order_amount_milliunits matched_exact_count matched_exact_amount_milliunits matched_derived_count
matched_derived_amount_milliunits matched_heuristic_count matched_heuristic_amount_milliunits ambiguous_count
ambiguous_amount_milliunits pending_count pending_amount_milliunits pending_of_all_families_count next_pending_breaks_at
broken_count broken_amount_milliunits excluded_count sandbox_count family_count zero_price_count break_opening_count
break_new_count break_persisting_count break_resolved_count break_open_count break_open_amount_milliunits oldest_break_days
break_undecided_count break_decided_count break_decided_amount_milliunits refund_count refund_amount_milliunits
refund_reversed_count refund_reversed_amount_milliunits late_arrivals_count late_arrivals_amount_milliunits
bridge_book_milliunits bridge_open_tx_count bridge_plus_open_tx_milliunits bridge_open_orders_count
bridge_minus_open_orders_milliunits bridge_plus_not_booked_milliunits bridge_not_charged_milliunits bridge_amount_diff_count
bridge_amount_diff_milliunits bridge_currency_diff_milliunits bridge_unpriced_milliunits bridge_unexplained_milliunits
bridge_apple_milliunits match_rate_count_bp match_rate_amount_bp match_rate_p50_28d_bp""".split()
BREAKS = """break_id class class_since leg severity status opened_on age_days age_bucket bundle_id environment user_id
order_id charge_id transaction_id original_transaction_id web_order_line_item_id product_id storefront
expected_amount_milliunits actual_amount_milliunits diff_amount_milliunits amount_milliunits currency candidates
best_candidate best_reason owner_team due_at sla_state resolved_at detail runbook case_id decided_by approved_by decided_at
reason until""".split()
AGEING = """class severity owner_team currency count_0_1 amount_0_1_milliunits count_2_7 amount_2_7_milliunits count_8_30
amount_8_30_milliunits count_31_60 amount_31_60_milliunits count_over_60 amount_over_60_milliunits opening_count new_count
resolved_count closing_count closing_amount_milliunits oldest_id oldest_opened_on undecided_count decided_count
decided_amount_milliunits""".split()
TOP = """currency rank amount_milliunits class severity age_days bundle_id order_id transaction_id user_id owner_team due_at
break_id detail""".split()
DAYS = "bundle_id day tx_count order_count matched_count".split()
IDENTITIES = "identity scope bundle_id environment currency formula left right difference holds".split()
INPUTS = """kind file_name sha256 source input_count accepted_count repeated_count ignored_count parked_count newest_fact_at
age_minutes""".split()
QUARANTINE = "source day item_count byte_count first_at last_at kept_count kept_byte_count samples reasons".split()
ALLOWED = "bundle_id user_id order_id product_id transaction_id delivered_at price_milliunits currency allowed_by".split()
NOT_RECONCILED = "bundle_id reason currency item_count amount_milliunits first_day last_day limit_day".split()
COLUMNS = {"daily": DAILY, "not_reconciled": NOT_RECONCILED, "allowed_sandbox": ALLOWED, "breaks": BREAKS, "ageing": AGEING, "top_exposure": TOP, "days": DAYS,
           "identities": IDENTITIES, "inputs": INPUTS, "quarantine": QUARANTINE}
JSON_FILES = {"daily.json": ("daily", "identities", "days", "inputs", "not_reconciled", "quarantine", "allowed_sandbox"),
              "breaks.json": ("ageing", "top_exposure", "breaks")}
JSON_HEAD = "schema_version report as_of run_id settings_sha256 code_version verdict verdict_reasons".split()


class Unusable(Exception):
    """The folders cannot be read: exit status 2."""


# ---------------------------------------------------------------------------------------------------------------------
# Differences


class Differences:
    def __init__(self):
        self.lines, self.notes = [], []

    def differ(self, where, page, exports, rule):
        text = RULES.get(rule, rule)
        self.lines.append(f"{where}: page says {page!r}, exports say {exports!r} ({text})")

    def same(self, where, page, exports, rule):
        if page != exports:
            self.differ(where, page, exports, rule)

    def unchecked(self, where, text):
        self.lines.append(f"unchecked: {where}: {text}")

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)


class PrintedValue:
    """A value that exports cannot tell: taken from the CSV, held against a bound, and the other files against the CSV."""

    def __init__(self, bound, test):
        self.bound, self.test = bound, test


# ---------------------------------------------------------------------------------------------------------------------
# Values


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


def stamp(moment):
    """RFC 3339 in UTC as the program prints it: milliseconds only when there are any."""
    text = moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return text + (f".{moment.microsecond // 1000:03d}Z" if moment.microsecond else "Z")


def minute(text):
    return text[:10] + " " + text[11:16] + " UTC"


def number(text):
    return int(text) if text not in ("", None) else 0


def places(milliunits, currency):
    """As many decimals as the currency has, more where the amount needs them."""
    usual = 0 if currency in NO_DECIMALS else 3 if currency in THREE_DECIMALS else 2
    return next(digits for digits in range(usual, 4) if milliunits % 10 ** (3 - digits) == 0)


def money(milliunits, currency, grouped=True):
    digits = places(milliunits, currency)
    whole, rest = divmod(abs(milliunits), 1000)
    text = f"{whole:,}" if grouped else str(whole)
    if digits:
        text += "." + f"{rest:03d}"[:digits]
    return (("−" if grouped else "-") if milliunits < 0 else "") + text


def percent(points):
    if 0 < points < 10:
        return "< 0.1 %"
    tenths = (points + 5) // 10 if points >= 10000 else min((points + 5) // 10, 999)
    return f"{tenths // 10}.{tenths % 10} %"


def ratio(part, whole):
    return part * 10000 // whole if whole else None


def text_of(value):
    return "" if value is None else str(value)


# ---------------------------------------------------------------------------------------------------------------------
# Files


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file, strict=True))
    if not lines:
        raise Unusable(f"{path} is empty")
    for place, line in enumerate(lines[1:], 2):
        if len(line) != len(lines[0]):
            raise Unusable(f"{path}: record {place} has {len(line)} fields, not {len(lines[0])}")
    return lines[0], [dict(zip(lines[0], line)) for line in lines[1:]]


def rows_of(folder, name):
    path = os.path.join(folder, name + ".csv")
    if not os.path.exists(path):
        raise Unusable(f"export {path} is missing")
    return read_csv(path)[1]


class World:
    """The exports, and what follows from them without looking at the report."""

    def __init__(self, folder, as_of):
        self.as_of = as_of
        for name in ("orders", "charges", "transactions", "matches", "breaks", "pending", "signals", "cases",
                     "subscriptions", "parked", "evidence", "quarantine", "runs", "renewals-to-book"):
            setattr(self, name.replace("-", "_"), rows_of(folder, name))
        self.order = {row["order_id"]: row for row in self.orders}
        self.charge = {row["charge_id"]: row for row in self.charges}
        self.match_of_charge = {row["charge_id"]: row for row in self.matches}
        self.match_of_order = {row["order_id"]: row for row in self.matches}
        self.ambiguous = {row["charge_id"] for row in self.breaks if row["class"] == "AMBIGUOUS_MATCH" and is_open(row)}
        self.waiting = {row["charge_id"] for row in self.pending if row["charge_id"]}
        self.zones = {}
        self.unpaid = set()
        since = as_of - timedelta(hours=24)
        self.first = not any(instant(row["as_of"]) <= since for row in self.runs)
        self.quiet = not any(since < instant(row["as_of"]) <= as_of for row in self.runs)
        self.previous = self.read_previous(os.path.join(folder, "previous"))

    @staticmethod
    def read_previous(folder):
        names = ("charges", "breaks")
        if not all(os.path.exists(os.path.join(folder, name + ".csv")) for name in names):
            return None
        return {name: rows_of(folder, name) for name in names}

    def zone(self, bundle):
        return ZoneInfo(self.zones.get(bundle, "UTC"))

    def business_day(self, bundle):
        return self.as_of.astimezone(self.zone(bundle)).date() - timedelta(days=1)

    def day_of(self, bundle, text):
        return instant(text).astimezone(self.zone(bundle)).date()

    def part_of(self, charge):
        if charge["environment"] != "Production" or charge["state"] in ("family", "free"):
            return "excluded"
        match = self.match_of_charge.get(charge["charge_id"])
        if match:
            return self.grade(match)
        if charge["charge_id"] in self.ambiguous:
            return "ambiguous"
        return "pending" if charge["charge_id"] in self.waiting else "broken"

    @staticmethod
    def grade(match):
        grades = {"M0": "derived", "M1": "exact", "M2": "exact", "M3": "derived", "M4": "derived", "M5": "derived", "M6": "heuristic"}
        return grades.get(match["rung"], match["confidence"])

    def booked(self, order):
        return order["environment"] == "Production" and order["status"] in BOOKED

    def order_day(self, order):
        match = self.match_of_order.get(order["order_id"])
        charge = self.charge.get(match["charge_id"]) if match else None
        return self.day_of(order["bundle_id"], charge["purchased_at"] if charge else order["created_at"])

    def decided(self):
        return [row for row in self.breaks if row["status"] in DECIDED]

    def undecided(self):
        return [row for row in self.breaks if row["status"] in UNDECIDED]

    def resolved(self):
        since = self.as_of - timedelta(hours=24)
        return [row for row in self.breaks if row["status"] == "resolved" and instant(row["resolved_at"]) > since]


def is_open(row):
    return row["status"] != "resolved"


def slice_of(row):
    return row["bundle_id"], row["environment"], row["currency"]


def worth(row):
    """Amount of a break or charge in a money figure: sandbox carries none."""
    return number(row["amount_milliunits"]) if row["environment"] == "Production" else 0


# ---------------------------------------------------------------------------------------------------------------------
# Daily rows: per scope, app, environment and currency


def daily_keys(world):
    keys = {slice_of(row) for row in world.charges} | {slice_of(row) for row in world.pending}
    keys |= {slice_of(row) for row in world.orders if world.booked(row)}
    return keys | {slice_of(row) for row in world.breaks if is_open(row) or row in world.resolved()}


def daily_rows(world):
    figures = defaultdict(Counter)
    for scope in ("day", "to_date"):
        for add in (add_charges, add_orders, add_refunds, add_reversals, add_bridge, add_late):
            add(world, scope, figures)
    keys = sorted(daily_keys(world))
    usual = usual_rates(world)
    rows = []
    for scope in ("day", "to_date"):
        for key in keys:
            row = {name: 0 for name in DAILY}
            row.update(figures[(scope,) + key])
            finish_daily(world, scope, key, row, usual)
            rows.append({name: row[name] if isinstance(row[name], PrintedValue) else text_of(row[name]) for name in DAILY})
    return rows


def in_scope(world, scope, bundle, day):
    return scope == "to_date" or day == world.business_day(bundle)


def add_charges(world, scope, figures):
    for charge in world.charges:
        if not in_scope(world, scope, charge["bundle_id"], world.day_of(charge["bundle_id"], charge["purchased_at"])):
            continue
        part = world.part_of(charge)
        price = number(charge["price_milliunits"]) if part != "excluded" else 0
        row = figures[(scope,) + slice_of(charge)]
        prefix = "matched_" + part if part in MATCHED else part
        row.update({"tx_count": 1, "tx_amount_milliunits": price, prefix + "_count": 1})
        if part != "excluded":
            row[prefix + "_amount_milliunits"] += price
        else:
            row[excluded_as(charge)] += 1


def excluded_as(charge):
    if charge["environment"] != "Production":
        return "sandbox_count"
    return "family_count" if charge["state"] == "family" else "zero_price_count"


def add_orders(world, scope, figures):
    for order in world.orders:
        if world.booked(order) and in_scope(world, scope, order["bundle_id"], world.order_day(order)):
            figures[(scope,) + slice_of(order)].update(
                {"order_count": 1, "order_amount_milliunits": number(order["price_milliunits"])})


def add_refunds(world, scope, figures):
    for charge in world.charges:
        if charge["state"] not in ("refunded", "partly_refunded") or charge["environment"] != "Production":
            continue
        known = charge["revoked_at"] and instant(charge["revoked_at"]) <= world.as_of
        if known and in_scope(world, scope, charge["bundle_id"], world.day_of(charge["bundle_id"], charge["revoked_at"])):
            figures[(scope,) + slice_of(charge)].update(
                {"refund_count": 1, "refund_amount_milliunits": number(charge["refunded_milliunits"])})


def add_late(world, scope, figures):
    """Charges of days before the business day that were not known 24 hours ago."""
    if not world.previous:
        return
    known = {row["charge_id"] for row in world.previous["charges"]}
    for charge in world.charges:
        bundle = charge["bundle_id"]
        early = world.day_of(bundle, charge["purchased_at"]) < world.business_day(bundle)
        if early and charge["charge_id"] not in known and world.part_of(charge) != "excluded":
            figures[(scope,) + slice_of(charge)].update(
                {"late_arrivals_count": 1, "late_arrivals_amount_milliunits": number(charge["price_milliunits"])})


def reversals(world):
    """Refunds that Apple took back: a signed row without revocation after one with; (charge, instant, amount)."""
    reported = defaultdict(list)
    for row in world.transactions:
        if row["environment"] == "Production" and instant(row["signed_at"]) <= world.as_of:
            reported[row["charge_id"]].append(row)
    for name, rows in reported.items():
        revoked = [row for row in rows if row["revoked_at"]]
        last = max((instant(row["signed_at"]) for row in revoked), default=None)
        after = [instant(row["signed_at"]) for row in rows if last and instant(row["signed_at"]) > last]
        if after and not world.charge[name]["revoked_at"]:
            yield world.charge[name], min(after), max(number(row["refunded_milliunits"]) for row in revoked)


def add_reversals(world, scope, figures):
    for charge, moment, amount in reversals(world):
        if in_scope(world, scope, charge["bundle_id"], world.day_of(charge["bundle_id"], stamp(moment))):
            figures[(scope,) + slice_of(charge)].update(
                {"refund_reversed_count": 1, "refund_reversed_amount_milliunits": amount})


def add_bridge(world, scope, figures):
    for charge in world.charges:
        if world.part_of(charge) != "excluded" and in_scope(
                world, scope, charge["bundle_id"], world.day_of(charge["bundle_id"], charge["purchased_at"])):
            bridge_charge(world, charge, figures[(scope,) + slice_of(charge)])
    for order in world.orders:
        if world.booked(order) and in_scope(world, scope, order["bundle_id"], world.order_day(order)):
            bridge_order(world, order, figures[(scope,) + slice_of(order)])


def bridge_charge(world, charge, row):
    price = number(charge["price_milliunits"])
    row["bridge_apple_milliunits"] += price
    match = world.match_of_charge.get(charge["charge_id"])
    if not match:
        row.update({"bridge_open_tx_count": 1, "bridge_plus_open_tx_milliunits": price})
        return
    order = world.order[match["order_id"]]
    if not world.booked(order):
        row["bridge_plus_not_booked_milliunits"] += price
    elif not charge["price_milliunits"] or not order["price_milliunits"]:
        row["bridge_unpriced_milliunits"] += price
    elif order["currency"] != charge["currency"]:
        row["bridge_currency_diff_milliunits"] += price
    elif price != number(order["price_milliunits"]):
        row.update({"bridge_amount_diff_count": 1, "bridge_amount_diff_milliunits": price - number(order["price_milliunits"])})


def bridge_order(world, order, row):
    price = number(order["price_milliunits"])
    row["bridge_book_milliunits"] += price
    match = world.match_of_order.get(order["order_id"])
    if not match and order["order_id"] in world.unpaid:
        row["bridge_not_charged_milliunits"] -= price
        return
    if not match:
        row.update({"bridge_open_orders_count": 1, "bridge_minus_open_orders_milliunits": price})
        return
    charge = world.charge[match["charge_id"]]
    if world.part_of(charge) == "excluded":
        row["bridge_not_charged_milliunits"] -= price
    elif not charge["price_milliunits"] or not order["price_milliunits"]:
        row["bridge_unpriced_milliunits"] -= price
    elif order["currency"] != charge["currency"]:
        row["bridge_currency_diff_milliunits"] -= price


def open_lines(row):
    return (row["bridge_plus_open_tx_milliunits"] - row["bridge_minus_open_orders_milliunits"]
            + sum(row[f"bridge_{name}_milliunits"] for name in (
                "plus_not_booked", "not_charged", "amount_diff", "currency_diff", "unpriced")))


def finish_daily(world, scope, key, row, usual):
    bundle, environment, currency = key
    row.update(scope=scope, business_day=world.business_day(bundle), tz=world.zones.get(bundle, "UTC"),
               bundle_id=bundle, environment=environment, currency=currency)
    row["bridge_unexplained_milliunits"] = row["bridge_apple_milliunits"] - row["bridge_book_milliunits"] - open_lines(row)
    daily_breaks(world, key, row)
    daily_pending(world, key, row)
    daily_rates(row, usual.get(key))
    daily_printed(world, row)


def daily_rates(row, usual):
    whole = row["tx_count"] - row["excluded_count"]
    row["match_rate_count_bp"] = ratio(sum(row[f"matched_{part}_count"] for part in MATCHED), whole)
    row["match_rate_amount_bp"] = ratio(sum(row[f"matched_{part}_amount_milliunits"] for part in MATCHED),
                                        row["tx_amount_milliunits"])
    row["match_rate_p50_28d_bp"] = usual


def daily_pending(world, key, row):
    waiting = [item for item in world.pending if slice_of(item) == key]
    row["pending_of_all_families_count"] = len(waiting)
    first = min((instant(item["breaks_at"]) for item in waiting), default=None)
    row["next_pending_breaks_at"] = stamp(first) if first else ""


def daily_breaks(world, key, row):
    here = [item for item in world.breaks if slice_of(item) == key]
    undecided = [item for item in here if item["status"] in UNDECIDED]
    decided = [item for item in here if item["status"] in DECIDED]
    row["break_open_count"] = len(undecided) + len(decided)
    row["break_undecided_count"], row["break_decided_count"] = len(undecided), len(decided)
    row["break_open_amount_milliunits"] = sum(map(worth, undecided + decided))
    row["break_decided_amount_milliunits"] = sum(map(worth, decided))
    row["oldest_break_days"] = max((int(item["age_days"]) for item in undecided), default="")
    names = ("opening", "new", "resolved", "persisting")
    row.update({f"break_{name}_count": count for name, count in zip(names, movement(world, here))})


def movement(world, here):
    """Opening 24 hours ago, new since then, resolved since then (what came and went counts as both), and what stays."""
    since = world.as_of - timedelta(hours=24)
    gone = [row for row in here if row["status"] == "resolved" and instant(row["resolved_at"]) > since]
    opened = [row for row in here if is_open(row)]
    if world.first:
        fresh = opened + gone
    elif world.quiet:
        fresh = []
    elif world.previous:
        then = {row["break_id"] for row in world.previous["breaks"] if is_open(row)}
        fresh = [row for row in opened + gone if row["break_id"] not in then]
    else:
        fresh = [row for row in opened if row["status"] in ("new", "reopened")]
    return len(opened) - len(fresh) + len(gone), len(fresh), len(gone), len([row for row in opened if row not in fresh])


def daily_printed(world, row):
    if not world.previous and row["environment"] == "Production":
        row["late_arrivals_count"] = PrintedValue("a count", str.isdigit)
        row["late_arrivals_amount_milliunits"] = PrintedValue("an amount, not negative", str.isdigit)


def usual_rates(world):
    """Median of the match rates of the 28 days before the business day that had charges, per slice."""
    days = defaultdict(Counter)
    for charge in world.charges:
        part = world.part_of(charge)
        bundle = charge["bundle_id"]
        day = world.day_of(bundle, charge["purchased_at"])
        last = world.business_day(bundle)
        if part != "excluded" and last - timedelta(days=28) <= day < last:
            days[slice_of(charge), day].update({"all": 1, "matched": int(part in MATCHED)})
    rates = defaultdict(list)
    for (key, _), counts in days.items():
        rates[key].append(ratio(counts["matched"], counts["all"]))
    return {key: median(values) for key, values in rates.items()}


def median(values):
    values = sorted(values)
    return values[(len(values) - 1) // 2]


# ---------------------------------------------------------------------------------------------------------------------
# The other tables


def figures_of(row):
    return {name: number(value) for name, value in row.items() if name.endswith(("_count", "_milliunits"))}


def identity(name, row, formula, left, right):
    scope = row.get("scope", "to_date")
    return {"identity": name, "scope": scope, "bundle_id": row["bundle_id"], "environment": row["environment"],
            "currency": row["currency"], "formula": formula, "left": str(left), "right": str(right),
            "difference": str(left - right), "holds": "yes" if left == right else "no"}


def identity_rows(daily):
    rows = []
    for row in daily:
        value = figures_of(row)
        rows.append(charges_identity(row, value))
        if row["environment"] == "Production":
            rows.append(bridge_identity(row, value))
        if row["scope"] == "to_date":
            rows += break_identities(row, value)
    return rows


def charges_identity(row, value):
    counts = [value[f"matched_{part}_count" if part in MATCHED else f"{part}_count"] for part in PARTS]
    right = " + ".join(f"{part} {count}" for part, count in zip(PARTS, counts))
    return identity("charges", row, f"charges {value['tx_count']} = {right}", value["tx_count"], sum(counts))


def bridge_identity(row, value):
    currency, lines = row["currency"], open_lines(value)
    apple, book = value["bridge_apple_milliunits"], value["bridge_book_milliunits"]
    texts = [money(amount, currency, grouped=False) for amount in (apple, book, lines, apple - book - lines)]
    formula = "Apple {} = book {} + open lines {} + unexplained {}".format(*texts)
    return identity("bridge", row, formula, apple, book + lines)


def break_identities(row, value):
    total, before, fresh, gone = (value[f"break_{name}_count"] for name in ("open", "opening", "new", "resolved"))
    waiting, decided = value["break_undecided_count"], value["break_decided_count"]
    return [identity("breaks", row, f"open {total} = yesterday {before} + new {fresh} - resolved {gone}",
                     total, before + fresh - gone),
            identity("decisions", row, f"open {total} = undecided {waiting} + decided {decided}", total, waiting + decided)]


def day_rows(world, last_days):
    """28 days of each app up to its business day: Production charges that carry money, orders, matched charges."""
    counts = defaultdict(Counter)
    for charge in world.charges:
        part = world.part_of(charge)
        if part != "excluded":
            key = charge["bundle_id"], world.day_of(charge["bundle_id"], charge["purchased_at"])
            counts[key].update({"tx_count": 1, "matched_count": int(part in MATCHED)})
    for order in filter(world.booked, world.orders):
        counts[order["bundle_id"], world.order_day(order)]["order_count"] += 1
    rows = []
    for bundle, last in sorted(last_days.items()):
        for day in (last - timedelta(days=back) for back in range(27, -1, -1)):
            found = counts[bundle, day]
            rows.append({"bundle_id": bundle, "day": day.isoformat(),
                         **{name: str(found[name]) for name in DAYS[2:]}})
    return rows


def severity_rank(row):
    return SEVERITIES.index(row["severity"]) if row["severity"] in SEVERITIES else len(SEVERITIES)


def bucket_of(days):
    for limit, (name, _, _) in zip((1, 7, 30, 60), BUCKETS):
        if days <= limit:
            return name
    return "over_60"


def age_of(world, row):
    return (world.as_of - instant(row["opened_at"])) // timedelta(days=1)


def ageing_rows(world):
    groups = defaultdict(list)
    for row in world.undecided() + world.decided() + world.resolved():
        groups[severity_rank(row), row["class"], row["currency"]].append(row)
    return [ageing_row(world, groups[key]) for key in sorted(groups)]


def ageing_row(world, here):
    undecided = [row for row in here if row["status"] in UNDECIDED]
    decided = [row for row in here if row["status"] in DECIDED]
    out = {name: here[0][name] for name in ("class", "severity", "owner_team", "currency")}
    for name, _, _ in BUCKETS:
        aged = [row for row in undecided if bucket_of(age_of(world, row)) == name]
        out[f"count_{name}"], out[f"amount_{name}_milliunits"] = len(aged), sum(map(worth, aged))
    out["opening_count"], out["new_count"], out["resolved_count"] = movement(world, here)[:3]
    out["closing_count"], out["closing_amount_milliunits"] = len(undecided) + len(decided), sum(map(worth, undecided))
    oldest = min(undecided, key=age_order, default=None)
    out["oldest_id"] = oldest["break_id"] if oldest else ""
    out["oldest_opened_on"] = oldest["opened_on"] if oldest else ""
    out["undecided_count"], out["decided_count"] = len(undecided), len(decided)
    out["decided_amount_milliunits"] = sum(map(worth, decided))
    return {name: text_of(out[name]) for name in AGEING}


def age_order(row):
    return instant(row["opened_at"]), row["break_id"]


def top_rows(world):
    by_currency = defaultdict(list)
    for row in world.undecided():
        if row["environment"] == "Production" and number(row["amount_milliunits"]) > 0:
            by_currency[row["currency"]].append(row)
    ranked = []
    for currency, here in by_currency.items():
        here.sort(key=lambda row: (-number(row["amount_milliunits"]),) + age_order(row))
        ranked += [(rank, currency, row) for rank, row in enumerate(here, 1)]
    ranked.sort(key=lambda item: item[:2])
    kept = sorted(ranked[:20], key=lambda item: (item[1], item[0]))
    return [{name: str(rank) if name == "rank" else str(age_of(world, row)) if name == "age_days" else row[name]
             for name in TOP} for rank, _, row in kept]


def break_rows(world):
    groups = (world.undecided(), world.decided(), world.resolved())
    legs = {}
    return [break_row(world, row, legs) for group in groups
            for row in sorted(group, key=lambda row: (severity_rank(row),) + age_order(row))]


def break_row(world, row, legs):
    charge, order = world.charge.get(row["charge_id"]), world.order.get(row["order_id"])
    out = {name: row.get(name, "") for name in BREAKS}
    out.update(sides(charge, order))
    days = age_of(world, row)
    out["age_days"] = str(days)
    out["age_bucket"] = dict((name, text) for name, text, _ in BUCKETS)[bucket_of(days)]
    out["opened_on"] = row["opened_at"][:10]
    out["sla_state"] = promise(world, row) if row["status"] in UNDECIDED else ""
    out.update(candidates(row))
    out["class_since"] = PrintedValue("an instant not after the clock", lambda text: bool(text) and instant(text) <= world.as_of)
    name = row["class"]
    out["leg"] = PrintedValue("one of L0, L1, L0-L1, the same for the whole class",
                      lambda text: text in ("L0", "L1", "L0-L1") and legs.setdefault(name, text) == text)
    return out


def sides(charge, order):
    """Expected is our order, actual is Apple's charge; identifiers are Apple's."""
    out = {"product_id": (charge or order or {}).get("product_id", ""), "storefront": (charge or order or {}).get("storefront", ""),
           "original_transaction_id": charge["original_transaction_id"] if charge else "",
           "web_order_line_item_id": charge["web_order_line_item_id"] if charge else ""}
    out["expected_amount_milliunits"] = order["price_milliunits"] if order else ""
    out["actual_amount_milliunits"] = charge["price_milliunits"] if charge else ""
    out["diff_amount_milliunits"] = ""
    if charge and order and charge["currency"] == order["currency"] and charge["price_milliunits"] and order["price_milliunits"]:
        out["diff_amount_milliunits"] = str(int(charge["price_milliunits"]) - int(order["price_milliunits"]))
    return out


def promise(world, row):
    """How the promise to look at it by its due time stands; risk is the last quarter of that time (observed)."""
    left = instant(row["due_at"]) - world.as_of
    whole = instant(row["due_at"]) - instant(row["opened_at"])
    return "breached" if left <= timedelta(0) else "risk" if left * 4 < whole else "ok"


def candidates(row):
    found = re.findall(r"(?:^candidates: |; )(\S+) \((.*?)\)(?=;|$)", row["detail"]) if row["class"] == "AMBIGUOUS_MATCH" else []
    if row["class"] == "AMBIGUOUS_MATCH" and not is_open(row):
        return {"candidates": "0", "best_candidate": "", "best_reason": ""}
    if not found:
        return {"candidates": "", "best_candidate": "", "best_reason": ""}
    return {"candidates": str(len(found)), "best_candidate": found[0][0], "best_reason": found[0][1]}


def newest_facts(world):
    """The newest instant that orders and genuine evidence tell, up to the clock."""
    orders = [instant(row["updated_at"]) for row in world.orders if row["updated_at"]]
    signed = [instant(row["signed_at"]) for row in world.evidence if row["verdict"] == "genuine" and row["signed_at"]]
    return {kind: max((moment for moment in moments if moment <= world.as_of), default=None)
            for kind, moments in (("orders", orders), ("apple", signed))}


def counted_runs(world):
    """What all runs together say of their input."""
    sums = defaultdict(Counter)
    for run in world.runs:
        counts = json.loads(run["counts"]) if run["counts"] else {}
        for kind, found in counts.items():
            if isinstance(found, dict) and "input" in found:
                sums[kind].update({name: found[name] for name in ("input", "accepted", "repeated", "ignored", "parked")})
    return sums


# ---------------------------------------------------------------------------------------------------------------------
# The report folder: manifest, CSV, JSON


class Report:
    def __init__(self, folder):
        self.folder = folder
        self.manifest = self.read_json("manifest.json")
        self.kind = self.manifest.get("report")
        self.as_of = instant(self.manifest["as_of"])
        self.tables = {}
        for name in sorted(os.listdir(folder)):
            if name.endswith(".csv"):
                self.tables[name[:-4]] = read_csv(os.path.join(folder, name))

    def path(self, name):
        return os.path.join(self.folder, name)

    def has(self, name):
        return os.path.exists(self.path(name))

    def read_json(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)


def check_manifest(report, out):
    manifest = report.manifest
    out.same("manifest.json: fields", list(manifest), JSON_HEAD + ["files"], "hash")
    named = {entry["name"]: entry for entry in manifest["files"]}
    present = sorted(name for name in os.listdir(report.folder) if name != "manifest.json")
    out.same("manifest.json: files", [entry["name"] for entry in manifest["files"]], present, "hash")
    for name in present:
        with open(report.path(name), "rb") as file:
            content = file.read()
        entry = named.get(name, {})
        out.same(f"manifest.json: {name} sha256", entry.get("sha256"), hashlib.sha256(content).hexdigest(), "hash")
        out.same(f"manifest.json: {name} bytes", entry.get("bytes"), len(content), "hash")


def check_run(report, world, out):
    """The run that the manifest names, held against the export of runs."""
    manifest, where = report.manifest, "manifest.json: run"
    out.same("manifest.json: schema_version", manifest["schema_version"], 1, "same")
    run = next((row for row in world.runs if row["run_id"] == manifest["run_id"]), None)
    if run:
        for name in ("as_of", "verdict", "settings_sha256", "code_version"):
            out.same(f"{where} {name}", manifest[name], run[name], "export runs")
        out.same(f"{where} message", "; ".join(manifest["verdict_reasons"]), run["message"], "export runs")
        return
    expected = f"report-{report.as_of:%Y%m%dT%H%M%SZ}-{manifest['settings_sha256'][:8]}"
    out.same(f"{where} id", manifest["run_id"], expected, "a report beside the night names itself by clock and settings (observed)")
    out.note("settings hash and program version of a report that no run wrote are not in the exports")


def paired(want, have):
    """Indexes of rows to compare with each other; a missing or additional row does not shift the others."""
    if len(want) == len(have):
        return [(place, place) for place in range(len(want))]
    pairs = []
    for kind, first, last, start, end in SequenceMatcher(None, want, have, autojunk=False).get_opcodes():
        most = max(last - first, end - start)
        pairs += [(first + step if first + step < last else None, start + step if start + step < end else None)
                  for step in range(most)]
    return pairs


def compare_table(name, columns, expected, found, out):
    """Every cell of a CSV table; returns its rows with told values filled in, as the other files must repeat them."""
    file = name + ".csv"
    out.same(f"{file}: columns", columns, COLUMNS[name], "same")
    if columns != COLUMNS[name]:
        return expected
    out.same(f"{file}: number of rows", len(found), len(expected), "same")
    filled = []
    for first, second in paired([label(row) for row in expected], [label(row) for row in found]):
        if first is None:
            out.differ(f"{file}: row too much", label(found[second]), None, "recomputed from exports")
        elif second is None:
            out.differ(f"{file}: missing row", None, label(expected[first]), "recomputed from exports")
            filled.append(without_printed(expected[first]))
        else:
            where, want, have = f"{file}: line {second + 2} {label(found[second])}", expected[first], found[second]
            filled.append({column: compare_cell(where, column, want[column], have[column], out) for column in columns})
    return filled


def without_printed(row):
    return {name: "" if isinstance(value, PrintedValue) else value for name, value in row.items()}


def label(row):
    names = ("identity", "scope", "class", "break_id", "kind", "file_name", "source", "bundle_id", "environment",
             "currency", "day", "rank")
    return " ".join(str(row[name]) for name in names if row.get(name))


CELL_RULES = (("match_rate", "rate"), ("bridge", "bridge"), ("order_", "book"), ("break_", "breaks"), ("matched", "exact"),
              ("age", "age"), ("sla", "sla"), ("count_", "age"), ("amount_", "age"), ("rank", "top"))


def compare_cell(where, column, want, have, out):
    if isinstance(want, PrintedValue):
        try:
            good = want.test(have)
        except (ValueError, TypeError):
            good = False
        if not good:
            out.differ(f"{where} {column}", have, want.bound, "a bound; exports do not tell it")
        return have
    rule = next((rule for start, rule in CELL_RULES if column.startswith(start)), "recomputed from exports")
    out.same(f"{where} {column}", have, want, rule)
    return want


def check_json(report, name, tables, out):
    if not report.has(name):
        return
    content = report.read_json(name)
    wanted = [table for table in JSON_FILES[name] if table in tables]
    out.same(f"{name}: fields", list(content), JSON_HEAD + wanted, "same")
    for field in JSON_HEAD:
        out.same(f"{name}: {field}", content.get(field), report.manifest.get(field), "same")
    for table in wanted:
        rows = content.get(table, [])
        out.same(f"{name}: {table} rows", len(rows), len(tables[table]), "same")
        for place, (have, want) in enumerate(zip(rows, tables[table])):
            compare_json_row(f"{name}: {table}[{place}]", COLUMNS[table], have, want, out)


def compare_json_row(where, columns, have, want, out):
    out.same(f"{where} fields", list(have), columns, "same")
    for column in columns:
        value = have.get(column)
        out.same(f"{where} {column}", text_of(value), want[column], "same")
        numeric = column.endswith(("_count", "_milliunits", "_bp", "_days", "_minutes")) or column in (
            "left", "right", "difference", "rank", "candidates") or column.startswith("count_")
        if value is not None and isinstance(value, int) != numeric:
            out.differ(f"{where} {column}", type(value).__name__, "int" if numeric else "str", "JSON: counts are numbers, ids are text")


# ---------------------------------------------------------------------------------------------------------------------
# Inputs


def expected_inputs(world, found):
    """Inputs are told by no export but for sums per kind, parked rows and the newest fact."""
    rows = []
    for row in found:
        want = {name: PrintedValue("text", lambda text: True) for name in INPUTS}
        want["kind"] = PrintedValue("a kind of input", lambda text: text in ("apple", "catalogue", "orders", "users", "finance", "bank"))
        want["sha256"] = PrintedValue("a SHA-256", lambda text: bool(re.fullmatch("[0-9a-f]{64}", text)))
        want["file_name"] = PrintedValue("a name", bool)
        want["source"] = PrintedValue("a source", lambda text: text in ("client", "notification", "api", "import"))
        for name in INPUTS[4:9]:
            want[name] = PrintedValue("a count", str.isdigit)
        newest = instant(row["newest_fact_at"])
        want["newest_fact_at"] = PrintedValue("an instant not after the clock", lambda text: not text or instant(text) <= world.as_of)
        want["age_minutes"] = str((world.as_of - newest) // timedelta(minutes=1)) if newest else ""
        rows.append(want)
    out_note = "file names, hashes and counts per file of the inputs are in no export: only their sums per kind are checked"
    return rows, out_note


def check_parked(world, row, rows, out):
    """Parked rows of a file; one and the same bad row of two files of one name is parked once."""
    key = row["kind"], row["file_name"]
    parked = sum(1 for item in world.parked if (item["kind"], item["file"]) == key)
    reported = [number(item["parked_count"]) for item in rows if (item["kind"], item["file_name"]) == key]
    if not max(reported) <= parked <= sum(reported):
        out.differ(f"inputs.csv: {row['file_name']} parked", reported, parked, "export parked")


def check_inputs(world, rows, out):
    where, sums = "inputs.csv", defaultdict(Counter)
    for row in rows:
        counts = {name: number(row[name + "_count"]) for name in ("input", "accepted", "repeated", "ignored", "parked")}
        sums[row["kind"]].update(counts)
        right = sum(counts.values()) - counts["input"]
        out.same(f"{where}: {row['file_name']} input", counts["input"], right, "input")
        check_parked(world, row, rows, out)
    reported = counted_runs(world)
    for kind in sorted(set(sums) | set(reported)):
        out.same(f"{where}: sum of {kind}", dict(+sums[kind]), dict(+reported[kind]), "counts of export runs")
    for kind, moment in newest_facts(world).items():
        page = max((instant(row["newest_fact_at"]) for row in rows if row["kind"] == kind and row["newest_fact_at"]), default=None)
        out.same(f"{where}: newest fact of {kind}", page and stamp(page), moment and stamp(moment), "newest updated_at or signature")
    ordered = sorted(rows, key=lambda row: row["kind"])
    out.same(f"{where}: order", [row["kind"] for row in rows], [row["kind"] for row in ordered], "by kind")


# ---------------------------------------------------------------------------------------------------------------------
# The page as a tree; every text in it has to be claimed by a check

VOID = {"meta", "br", "hr", "line", "rect", "polyline", "polygon", "col"}
TAGS = set("""html head meta title style body header div h1 h2 p dl dt dd section strong span b small figure figcaption svg
line text polyline polygon rect table thead tbody tr th td footer nav a details summary ul li""".split())
LINKING = {"src", "href", "srcset", "xlink:href", "action", "background", "onload", "onclick"}


class Node:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent, self.kids = tag, dict(attributes), parent, []
        self.claimed = False

    def all(self, tag):
        return [node for node in self.walk() if node.tag == tag]

    def walk(self):
        """The node and all below it, in the order of the page. A nested generator would take time for each level."""
        nodes = [self]
        while nodes:
            node = nodes.pop()
            yield node
            nodes += [kid for kid in reversed(node.kids) if isinstance(kid, Node)]

    def children(self, tag=None):
        return [kid for kid in self.kids if isinstance(kid, Node) and (tag is None or kid.tag == tag)]

    def own(self):
        """Its text; a link is read as if it were none."""
        parts = [kid if isinstance(kid, str) else kid.own() for kid in self.kids if isinstance(kid, str) or kid.tag == "a"]
        # What makes room below other decimals is no text.
        return "".join(parts).replace("\xa0", " ").replace("\u2007", "").replace("\u2008", "").strip()

    def text(self):
        """Own text, claimed: whoever asks for it must compare it."""
        self.claimed = True
        for kid in self.children("a"):
            kid.claimed = True
        return self.own()

    @property
    def style(self):
        return self.attributes.get("class", "")

    def path(self):
        names, node = [], self
        while node and node.tag:
            names.append(node.tag)
            node = node.parent
        return "/".join(reversed(names[:-2] or names))


class Tree(HTMLParser):
    def __init__(self, out, file):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Node("", {}, None)
        self.out, self.file = out, file

    def handle_starttag(self, tag, attributes):
        node = Node(tag, attributes, self.at)
        self.at.kids.append(node)
        if tag not in TAGS:
            self.out.unchecked(self.file, f"element <{tag}>")
        for name, value in attributes:
            # A link within the page leads to one of its tables; check_links asks which.
            if name in LINKING and tag == "a" and (value or "").startswith("#"):
                continue
            if name in LINKING or "url(" in (value or ""):
                self.out.unchecked(self.file, f"<{tag}> reaches outside: {name}={value}")
        if tag not in VOID:
            self.at = node

    def handle_startendtag(self, tag, attributes):
        at = self.at
        self.handle_starttag(tag, attributes)
        self.at = at

    def handle_endtag(self, tag):
        if self.at.tag != tag:
            self.out.differ(f"{self.file}: markup", f"</{tag}> inside <{self.at.tag}>", "well nested elements", "HTML")
        if self.at.parent is not None:
            self.at = self.at.parent

    def handle_data(self, data):
        self.at.kids.append(data)

    def handle_comment(self, data):
        self.out.unchecked(self.file, f"comment {data.strip()!r}")


def parse_page(path, out):
    with open(path, encoding="utf-8") as file:
        content = file.read()
    tree = Tree(out, os.path.basename(path))
    tree.feed(content)
    tree.close()
    return tree.root


def check_links(root, file, out):
    """The list of contents names every section in its order; every link leads to a table of the page."""
    sections = [node for node in root.all("section") if node.style == "block"]
    anchors = [node.attributes.get("id", "") for node in sections]
    contents = [(link.text(), link.attributes.get("href")) for nav in root.all("nav") for link in nav.children("a")]
    titles = [node.children("h2")[0].own() for node in sections]
    out.same(f"{file}: contents", contents, [(title, f"#{anchor}") for title, anchor in zip(titles, anchors)], "layout")
    folded = [node.attributes.get("id", "") for node in root.all("div") if node.style.split()[:1] == ["rows"]]
    out.same(f"{file}: anchors", len(set(anchors + folded)), len(anchors + folded), "layout")
    for nav in root.all("nav"):
        nav.claimed = True
    for link in root.all("a"):
        if (link.attributes.get("href") or "")[1:] not in anchors + folded:
            out.differ(f"{file}: link \"{link.own()}\"", link.attributes.get("href"), "a table of the page", "layout")


# The command for the rows behind each figure, which stands in its title: table, keys of its address; columns that are no sum.

COMMAND_KEYS = {
    "daily": ("scope", "bundle_id", "environment", "currency"), "ageing": ("class", "currency"), "inputs": ("kind", "file_name", "sha256"),
    "quarantine": ("source", "day"), "renewals": ("due_day", "bundle_id", "product_id", "storefront", "currency"),
}
COMMAND_TABLES = {"Charges and orders": "daily", "Bridge from our book to the Apple book": "daily", "Breaks by class and age": "ageing",
                  "What this report rests on": "inputs", "Quarantine": "quarantine"}
COMMANDS_MAX = 500
NO_SUMS = {"Matched", "Age", "Rate", "Mix"}


def command_note(table):
    form = "/".join(COMMAND_KEYS[table] + ("column",)).upper()
    return f"Rows behind a figure: payrecon rows {table} {form}. Point at a figure to see its full command (first {COMMANDS_MAX})."


def milliunits_or_count(text, column):
    plain = re.sub("[^0-9.-]", "", text.split(" ")[0].replace("−", "-"))
    value = Decimal(plain) if plain else Decimal(0)
    return value * 1000 if column.endswith("milliunits") else value


def check_command(where, reported, text, report, table, tables, out):
    """A title names a row of the report and a column of it, whose value is the figure that is shown."""
    words = shlex.split(reported)
    out.same(f"{where}: command", words[:3] + words[4:], ["payrecon", "rows", table, "--as-of", report.manifest["as_of"]], "command")
    cells = [part.replace("%2F", "/").replace("%25", "%") for part in words[3].split("/")]
    keys = COMMAND_KEYS[table]
    found = [row for row in tables[table] if [row[key] or "-" for key in keys] == cells[:len(keys)]]
    out.same(f"{where}: rows of {words[3]}", len(found), 1, "one row of the report")
    if found and len(cells) > len(keys):
        value = milliunits_or_count(text, cells[-1])
        out.same(f"{where}: {words[3]}", abs(value), abs(Decimal(found[0][cells[-1]])), "the figure of the address")


def is_sum(cell, head, text):
    return "n" in cell.style.split() and head not in NO_SUMS and text not in ("", "·", "0", "–") and "–" not in text[1:]


def check_commands(report, title, block, table, tables, out):
    """Every figure that is a sum names its command, up to the limit, and nothing else does."""
    where = f"{page_name(report)}: {title}: rows"
    heads = [node.text() for head in block.all("thead") for node in head.all("th")]
    left = COMMANDS_MAX
    for row in [row for row in block.all("tr") if row.parent.tag == "tbody" and row.style != "sum"]:
        for head, cell in zip(heads, row.children("td")):
            nodes = [cell] + cell.children("small")
            sums = [is_sum(cell, head, node.own()) for node in nodes]
            left -= sum(sums)
            for node, wanted in zip(nodes, sums):
                reported = node.attributes.get("title")
                out.same(f"{where}: {head} {node.own()}", reported is not None, wanted and left >= 0, "what has rows names their command")
                if reported is not None:
                    check_command(f"{where}: {head}", reported, node.own(), report, table, tables, out)


def report_unclaimed(root, file, out):
    for node in root.walk():
        if node.own() and not node.claimed and node.tag != "style":
            out.unchecked(f"{file}: {node.path()}", node.own())


def only(node, tag, where, out):
    found = node.children(tag)
    if len(found) != 1:
        out.differ(f"{where}: <{tag}>", f"{len(found)} of them", "one", "layout")
    return found[0] if found else Node(tag, {}, None)


def cell_text(cell):
    """Own text, plain or in a badge, and the small text below it; any other element inside stays unclaimed and is reported."""
    below = [kid.text() for kid in cell.children("small")]
    badge = "".join(kid.text() for kid in cell.children("span") if kid.style.startswith("badge "))
    return (cell.text() + badge,) + tuple(below)


def compare_page_table(where, block, heads, expected, out):
    """A table of the page, cell by cell: a row is (row class, [cell]), a cell is (text,), (text, small) or a Styled one."""
    tables = block.all("table")
    if len(tables) != 1:
        out.differ(f"{where}: table", f"{len(tables)} tables", "one", "layout")
        return
    found = [cell.text() for cell in tables[0].children("thead")[0].all("th")]
    out.same(f"{where}: columns", found, heads, "layout")
    rows = tables[0].children("tbody")[0].children("tr")
    out.same(f"{where}: number of rows", len(rows), len(expected), "recomputed from exports")
    shown = [tuple(cell_text(cell) for cell in row.children("td")) for row in rows]
    for first, second in paired([tuple(map(tuple, cells)) for _, cells in expected], shown):
        if first is None:
            out.differ(f"{where}: row {second + 1} too much", shown[second], None, "recomputed from exports")
        elif second is None:
            out.differ(f"{where}: missing row", None, expected[first][1], "recomputed from exports")
        else:
            style, cells = expected[first]
            compare_page_row(f"{where}: row {second + 1} {cells[0][0]}", rows[second], style, cells, heads, out)


def compare_page_row(where, row, style, cells, heads, out):
    out.same(f"{where} style", row.style, style, "layout")
    found = row.children("td")
    out.same(f"{where} cells", len(found), len(cells), "layout")
    for head, cell, want in zip(heads, found, cells):
        out.same(f"{where} [{head}]", cell_text(cell), tuple(want), "recomputed from exports")
        zero = "zero" in cell.style.split()
        out.same(f"{where} [{head}] greyed", zero, want[0] == "·", "only what is nothing is greyed")


# ---------------------------------------------------------------------------------------------------------------------
# Sentences of report.html. A text that no line of these tables yields is unchecked.

HEADLINES = {
    "clean": "Clean: no difference between what Apple charged and what we booked needs a person.",
    "pending": "Pending: nothing is broken, some differences are still inside their grace time.",
    "warnings": "Warnings: the books agree within limits, and something needs a look.",
    "breaks": "Breaks found: differences need review.",
    "incomplete": "Incomplete: input is missing, so do not rely on these figures yet.",
}
NOTES = {
    "Charges and orders": "Production only; counts with amounts below. Exact is M1–M2, derived M3–M5 and what two people decided (M0), "
    "heuristic M6. Excluded: family-shared and free, which Apple charged counts, too. A matched order counts on the day of its charge. "
    "Late: of earlier days, first seen in the last 24 hours. The usual rate is the median of the 28 days before. {sandbox}",
    "Bridge from our book to the Apple book": "Gross sales; each figure comes from its own query. What is left over is printed as "
    "unexplained, never spread over other lines.",
    "Identities": "Sums that must hold in every scope, app and currency; a failing one shows its numbers.",
    "Outside the reconciliation": "Charges and orders without the other side, from days of which the other side was not read. What is "
    "older than reconcile_from is no break.",
    "Breaks by class and age": "Undecided breaks by age, with amounts below; what people accepted, dismissed or wrote off stands "
    "under decided. Opening is 24 hours before the clock of this report; closing = opening + new − resolved = undecided + decided, "
    "its amount is of the undecided. A break that changed its class or currency is resolved in one row and new in another. "
    "Sandbox breaks are counted and carry no money.",
    "Most money at stake": "At most 20 undecided Production breaks. Currencies are not converted: the largest of each come first.",
    "Break list": "Undecided first, most severe, then oldest; decided ones follow, and what resolved in the last 24 hours comes last.",
    "What this report rests on": "Inputs with their SHA-256; the age is that of the newest fact at the clock of this report.",
    "Quarantine": "Input that is not genuine and that no upload of ours ties to anybody: it counts nowhere and concerns nobody. "
    "Export quarantine lists samples.",
    "Allowed sandbox deliveries": "Live goods on purchases that nobody paid: no break, for the user is a tester or a review window was "
    "open. They are no revenue; as orders they stand under “booked, not charged” of the bridge.",
}
EMPTY = {
    "Charges and orders": "No charges and no orders are known.",
    "Bridge from our book to the Apple book": "No money is known on either side.",
    "Breaks by class and age": "There are no breaks, and there were none yesterday.",
    "Most money at stake": "No undecided break carries money.",
    "Break list": "No break is open.",
    "What this report rests on": "No input was read yet.",
}
EMPTY_INCOMPLETE = "Not known: input is missing."
SUMS = {
    "charges": "charges = exact + derived + heuristic + ambiguous + pending + broken + excluded",
    "breaks": "open today = open yesterday + new − resolved",
    "decisions": "open = undecided + decided",
    "bridge": "our book + open lines = Apple, nothing unexplained",
}
SANDBOX = {0: "No sandbox purchase is known.", 1: "1 sandbox purchase stands apart."}
HEADS = {
    "Charges and orders": "Scope|App|Currency|Apple charged|We booked|Exact|Derived|Heuristic|Ambiguous|Pending|Broken|Excluded|"
    "Refunds|Late|Matched",
    "Bridge from our book to the Apple book": "Scope|App|Currency|Our book|+ charges without order|− orders without charge|"
    "+ charged, not booked|± booked, not charged|± amount differs|± currency differs|± price not given|Unexplained|= Apple",
    "Identities": "Identity|Sum|Checked|Result",
    "Outside the reconciliation": "App|Why|Limit|Items|Amount|First|Last",
    "Breaks by class and age": "Class|Severity|Currency|0–1 d|2–7 d|8–30 d|31–60 d|> 60 d|Decided|Opening|New|Resolved|Closing|"
    "Oldest",
    "Most money at stake": "Amount|Class|Severity|Days|App|Order and user|Transaction|Team|Detail",
    "Break list": "Class and id|Severity|Status|Days|Amount|Order and user|Transaction|Team and due|Detail, and what to do",
    "What this report rests on": "Kind|File and SHA-256|Items|Accepted|Repeated|Ignored|Parked|Newest fact|Age",
    "Quarantine": "Day|Source|Items|Bytes|First|Last|Kept|A sample, and why",
    "Allowed sandbox deliveries": "App|User|Order and product|Transaction|Delivered|Amount",
}
BLOCKS = [name for name in HEADS]


def plural(count, one, many):
    return f"{count:,} {one if count == 1 else many}"


# ---------------------------------------------------------------------------------------------------------------------
# Verdict and its reasons


def break_sentence(world):
    undecided, decided = world.undecided(), world.decided()
    signals = [row for row in world.signals if (row["state"], row["status"]) == ("live", "open")]
    if not (undecided or decided or world.pending or signals):
        return []
    found = Counter(row["severity"] for row in undecided)
    text = plural(len(undecided), "break", "breaks")
    if undecided:
        text += " (" + ", ".join(f"{name} {found[name]}" for name in SEVERITIES if found[name]) + ")"
    text += f", {len(decided)} decided" if decided else ""
    text += f", {len(world.pending)} pending"
    return [text + (f", {plural(len(signals), 'signal', 'signals')}" if signals else "")]


LATE = re.compile(r"(orders|apple|users|catalogue) input is late: the newest of it is of (\S+), more than (\d+)([mhd]) before the clock")
UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def late_sentences(world, reported):
    """Stale inputs by facts; the allowed age is a setting (30h unless set), so the page's own is taken and must be exceeded."""
    lines = []
    for kind, moment in newest_facts(world).items():
        if moment is None:
            lines.append(f"no {kind} input was ever read")
            continue
        allowed = next((match for match in map(LATE.fullmatch, reported) if match and match[1] == kind), None)
        span, text = timedelta(hours=30), "30h"
        if allowed:
            span, text = timedelta(**{UNITS[allowed[4]]: int(allowed[3])}), allowed[3] + allowed[4]
        if world.as_of - moment > span:
            lines.append(f"{kind} input is late: the newest of it is of {stamp(moment)}, more than {text} before the clock")
    return lines


def cut_sentences(world):
    """Files that were not whole: their cut end is parked until a whole one comes (page Repair parked input)."""
    return [f"{row['kind']} file \"{row['file']}\" line {row['line']}: {row['reason']}; give the whole file under the same name, "
            f"or see parked item {row['parked_id']}" for row in world.parked
            if row["state"] == "open" and "the file ends in this record" in row["reason"]]


def pending_text(world, first):
    if not first:
        return "nothing pending"
    return f"inside grace{' when last looked at' if first < world.as_of else ''}, first until {minute(stamp(first))}"


def last_look(world):
    """A report between nights says when differences were last looked for."""
    looks = [instant(row["as_of"]) for row in world.runs
             if row["job"] in ("nightly", "detect") and row["verdict"] != "failed" and instant(row["as_of"]) <= world.as_of]
    return [f"differences were last looked for at {stamp(max(looks))}"] if looks and max(looks) < world.as_of else []


def expected_reasons(world, reported):
    parked = sum(1 for row in world.parked if row["state"] == "open")
    lines = late_sentences(world, reported) + cut_sentences(world)
    if parked:
        lines.append(plural(parked, "parked item waits in the dead letters", "parked items wait in the dead letters"))
    return lines + break_sentence(world) + last_look(world)


def expected_verdict(world):
    """With fail_at at its default (low)."""
    if late_sentences(world, []) or cut_sentences(world):
        return "incomplete"
    if world.undecided():
        return "breaks"
    live = any((row["state"], row["status"]) == ("live", "open") for row in world.signals)
    if live or any(row["state"] == "open" for row in world.parked):
        return "warnings"
    return "pending" if world.pending else "clean"


def check_verdict(report, world, section, out):
    manifest, where = report.manifest, f"{page_name(report)}: verdict"
    reported = manifest["verdict_reasons"]
    out.same("manifest.json: verdict", manifest["verdict"], expected_verdict(world), "verdict")
    out.same("manifest.json: verdict_reasons", reported, expected_reasons(world, reported), "recomputed from exports")
    out.same(f"{where} style", section.style, "verdict " + manifest["verdict"], "same")
    headline = only(section, "strong", where, out).text()
    want = HEADLINES.get(manifest["verdict"])
    if want is None:
        out.unchecked(where, headline)
    else:
        out.same(f"{where} headline", headline, want, "text")
    out.same(f"{where} sentences", [line.text() for line in section.children("span")], reported, "same as in manifest.json")


def page_name(report):
    return "renewals.html" if report.kind == "renewals" else "report.html"


# ---------------------------------------------------------------------------------------------------------------------
# Header, figures, charts


def check_header(report, world, root, days, daily, out):
    where = f"{page_name(report)}: header"
    titles = [node.text() for node in root.all("title")]
    out.same(f"{where} title", titles, [f"Payment reconciliation {report.manifest['as_of']}"], "text")
    header = only(root.all("body")[0], "header", where, out)
    out.same(f"{where} h1", [node.text() for node in header.all("h1")], ["Payment reconciliation"], "text")
    apps = ", ".join(sorted({row["bundle_id"] for row in days}))
    spans = sorted({(row["business_day"], row["tz"]) for row in daily if row["bundle_id"] in {day["bundle_id"] for day in days}})
    sub = apps + (" · business day " + ", ".join(f"{day} ({zone})" for day, zone in spans) if spans else "")
    out.same(f"{where} apps and days", [node.text() for node in header.all("p")], [sub], "tz")
    pairs = [node.text() for node in header.walk() if node.tag in ("dt", "dd")]
    out.same(f"{where} clock", pairs, ["As of", report.manifest["as_of"], "Run", report.manifest["run_id"]], "same")
    foot = [node.text() for node in root.all("footer")]
    manifest = report.manifest
    want = f"payrecon {manifest['code_version']} · settings {manifest['settings_sha256'][:12]} · hashes of all files in manifest.json"
    out.same(f"{page_name(report)}: footer", foot, [want], "text")
    shown = {row["bundle_id"] for row in daily} if spans else {row["bundle_id"] for row in days}
    for app in sorted({row["bundle_id"] for row in days} - shown):
        last = max(row["day"] for row in days if row["bundle_id"] == app)
        out.same(f"{where} business day of {app}", last in {day for day, _ in spans}, True, "tz")


def production(daily, scope):
    return [figures_of(row) for row in daily if row["scope"] == scope and row["environment"] == "Production"]


def total(rows, *names):
    return sum(row[name] for row in rows for name in names)


def matched_names():
    return [f"matched_{part}_count" for part in MATCHED]


def rate_text(rows):
    points = ratio(total(rows, *matched_names()), total(rows, "tx_count") - total(rows, "excluded_count"))
    return "–" if points is None else percent(points)


def expected_figures(report, world, daily, identities):
    day, to_date = production(daily, "day"), production(daily, "to_date")
    undecided, decided = world.undecided(), world.decided()
    fresh, gone = movement(world, world.breaks)[1:3]
    old = sum(1 for row in undecided if age_of(world, row) > 30)
    missing = report.manifest["verdict"] == "incomplete"
    holding = sum(1 for row in identities if row["holds"] == "yes")
    first = min((instant(row["breaks_at"]) for row in world.pending), default=None)
    whole = total(to_date, "tx_count") - total(to_date, "excluded_count")
    return [
        ("Charges on the day", f"{total(day, 'tx_count'):,}", f"{total(day, 'order_count'):,} booked, {rate_text(day)} matched"),
        ("Matched, to date", rate_text(to_date), f"{total(to_date, *matched_names()):,} of {whole:,}"),
        ("Undecided breaks", f"{len(undecided):,}", f"{len(undecided) + len(decided):,} open, {len(decided):,} decided; "
         f"{fresh:,} new, {gone:,} resolved in 24 h"),
        ("Older than 30 days", f"{old:,}", f"of {len(undecided):,} undecided"),
        ("At stake", stake_text(undecided, missing), "undecided Production breaks, per currency"),
        ("Pending", f"{len(world.pending):,}", pending_text(world, first)),
        ("Identities", f"{holding:,} of {len(identities):,}", "hold in what was read" if missing else "hold; no money unexplained"),
    ]


def stake_text(undecided, missing):
    sums = Counter()
    for row in undecided:
        if row["currency"] and worth(row):
            sums[row["currency"]] += worth(row)
    lines = [f"{money(sums[name], name)} {name}" for name in sorted(sums)]
    # Observed: seven lines at most.
    if len(lines) > 7:
        lines = lines[:6] + [f"and {len(lines) - 6} more currencies"]
    return "\n".join(lines) or "none"


def check_figures(report, world, section, daily, identities, out):
    where = f"{page_name(report)}: figure"
    expected = expected_figures(report, world, daily, identities)
    boxes = section.children("div")
    out.same(f"{where}s", [only(box, "h2", where, out).text() for box in boxes], [name for name, _, _ in expected], "layout")
    for box, (name, value, below) in zip(boxes, expected):
        out.same(f"{where} {name}", only(box, "b", where, out).text(), value, "recomputed from exports")
        out.same(f"{where} {name}, below", only(box, "small", where, out).text(), below, "recomputed from exports")
    alarms = {name: box.style for box, (name, _, _) in zip(boxes, expected)}
    undecided = bool(world.undecided())
    out.same(f"{where} Undecided breaks alarm", alarms.get("Undecided breaks") == "alarm", undecided, "a number that alarms is shown so")
    good = all(row["holds"] == "yes" for row in identities)
    out.same(f"{where} Identities style", alarms.get("Identities") == "good", good, "green only what holds")


CLASSES_MAX = 8


def check_classes(report, world, root, out):
    """The banner lists undecided breaks by class, most severe first, with their money at stake."""
    where = f"{page_name(report)}: classes"
    groups = {}
    for row in world.undecided():
        groups.setdefault((SEVERITIES.index(row["severity"]), row["class"]), []).append(row)
    items = [item for listed in root.all("ul") for item in listed.children("li")]
    lines = [item.text() for item in items]
    if len(groups) > CLASSES_MAX:
        out.same(f"{where}: rest", lines[CLASSES_MAX:], [f"and {len(groups) - CLASSES_MAX} more classes"], "text")
    out.same(f"{where}: number", len(items), min(len(groups), CLASSES_MAX + 1), "recomputed from exports")
    for item, line, ((_, name), rows) in zip(items[:CLASSES_MAX], lines, sorted(groups.items())):
        out.same(f"{where}: {name}: count", line.partition(" × ")[0], f"{len(rows):,}", "recomputed from exports")
        out.same(f"{where}: {name}: title", line.partition(" × ")[2] != "", True, "text")
        stake = stake_text(rows, False).replace("\n", ", ")
        want = name if stake == "none" else f"{name} · {stake}"
        out.same(f"{where}: {name}: money", [node.text() for node in item.children("small")], [want], "recomputed from exports")
        command = f"payrecon breaks list --class {name} --as-of {report.manifest['as_of']}"
        out.same(f"{where}: {name}: command", item.attributes.get("title"), command, "text")


def check_charts(report, world, section, daily, days, out):
    checks = {
        "Charges and orders a day": lambda svg, where: check_days_chart(svg, where, days, out),
        "Outcomes of the charges, to date": lambda svg, where: check_bars(svg, where, outcome_bars(daily), out),
        "Undecided breaks by class": lambda svg, where: check_bars(svg, where, class_bars(world), out),
        "Undecided breaks by age": lambda svg, where: check_bars(svg, where, age_bars(world), out),
    }
    captions = []
    for figure in section.children("figure"):
        caption = only(figure, "figcaption", "chart", out).text()
        captions.append(caption)
        if caption in checks:
            checks[caption](only(figure, "svg", caption, out), f"{page_name(report)}: chart {caption}")
    out.same(f"{page_name(report)}: charts", captions, list(checks), "layout")


def outcome_bars(daily):
    rows = production(daily, "to_date")
    bars = [(part, total(rows, f"matched_{part}_count" if part in MATCHED else f"{part}_count")) for part in PARTS]
    return bars if any(value for _, value in bars) else []


def class_bars(world):
    counts = sorted(Counter(row["class"] for row in world.undecided()).items(), key=lambda item: (-item[1], item[0]))
    if len(counts) > 10:
        counts, rest = counts[:9], counts[9:]
        counts.append((f"{len(rest)} more classes", sum(value for _, value in rest)))
    return counts


def age_bars(world):
    counts = Counter(bucket_of(age_of(world, row)) for row in world.undecided())
    return [(text, counts[name]) for name, _, text in BUCKETS] if counts else []


def check_bars(svg, where, bars, out):
    texts = [node.text() for node in svg.children("text")]
    if not bars:
        out.same(where, texts, ["nothing to show"], "text")
        return
    out.same(where, texts, [text for name, value in bars for text in (name, f"{value:,}")], "recomputed from exports")
    most = max(value for _, value in bars) or 1
    widths = [float(node.attributes["width"]) for node in svg.children("rect")]
    out.same(f"{where}: bars", len(widths), len(bars), "chart")
    for (name, value), width in zip(bars, widths):
        least = 2 if value else 0
        want = max(310 * value / most, least)
        if abs(width - want) > 1.01:
            out.differ(f"{where}: bar of {name}", width, round(want, 1), "chart")


def check_days_chart(svg, where, days, out):
    sums = defaultdict(Counter)
    for row in days:
        sums[row["day"]].update({name: int(row[name]) for name in ("tx_count", "order_count")})
    order = sorted(sums)
    most = max((count for found in sums.values() for count in found.values()), default=0)
    texts = [node.text() for node in svg.children("text")]
    if not most:
        out.same(where, texts, ["no charges in these days"], "text")
        return
    out.same(where, texts, [f"{most:,}", "0", order[0], order[-1], "Apple charged", "we booked"], "recomputed from days.csv")
    lines = svg.children("polyline")
    out.same(f"{where}: lines", [line.style for line in lines], ["l1", "l2"], "chart")
    for line, name in zip(lines, ("tx_count", "order_count")):
        check_line(f"{where}: line of {name}", line, [sums[day][name] / most for day in order], out)


def check_line(where, line, shares, out):
    points = [tuple(map(float, point.split(","))) for point in line.attributes["points"].split()]
    out.same(f"{where}: points", len(points), len(shares), "chart")
    step = 546 / max(len(shares) - 1, 1)
    for place, ((x, y), share) in enumerate(zip(points, shares)):
        if abs(x - 44 - place * step) > 1.01 or abs(y - 148 + 122 * share) > 1.01:
            out.differ(f"{where}: point {place}", (x, y), (round(44 + place * step), round(148 - 122 * share)), "chart")


# ---------------------------------------------------------------------------------------------------------------------
# The tables of report.html


def dot(value, text=None):
    return ("·",) if not value else (text or f"{value:,}",)


def counted(count, amount, currency):
    if not count:
        return ("·",)
    return (f"{count:,}", money(amount, currency)) if amount else (f"{count:,}",)


def cash(amount, currency):
    return (money(amount, currency),) if amount else ("·",)


def scoped(rows, build):
    """Rows of both scopes; the scope is named in its first row only."""
    out = []
    for scope, title in (("day", "business day"), ("to_date", "to date")):
        here = [row for row in rows if row["scope"] == scope]
        for place, row in enumerate(here):
            head = [(title if place == 0 else "",), (row["bundle_id"],), (row["currency"] or "no currency",)]
            out.append(("first" if place == 0 else "", head + build(row)))
    return out


CHARGE_PAIRS = ("tx", "order", "matched_exact", "matched_derived", "matched_heuristic", "ambiguous", "pending", "broken")


def charges_page(daily):
    def shown(row):
        value = figures_of(row)
        names = CHARGE_PAIRS + ("excluded", "refund", "late_arrivals")
        some = ("tx", "order", "refund") if row["scope"] == "day" else names
        return row["environment"] == "Production" and any(value[name + "_count"] for name in some)

    def build(row):
        value, currency = figures_of(row), row["currency"]
        cells = [counted(value[name + "_count"], value[name + "_amount_milliunits"], currency) for name in CHARGE_PAIRS]
        cells.append(dot(value["excluded_count"]))
        cells += [counted(value[name + "_count"], value[name + "_amount_milliunits"], currency) for name in ("refund", "late_arrivals")]
        return cells + [rate_cell(row)]
    return scoped([row for row in daily if shown(row)], build)


def rate_cell(row):
    cell = (percent(int(row["match_rate_count_bp"])),) if row["match_rate_count_bp"] else ("–",)
    usual = row["match_rate_p50_28d_bp"]
    return cell + ((f"usual {percent(int(usual))}",) if usual else ())


BRIDGE_CELLS = ("book", "plus_open_tx", "minus_open_orders", "plus_not_booked", "not_charged", "amount_diff", "currency_diff",
                "unpriced", "unexplained", "apple")


def bridge_page(daily):
    def amounts(row):
        value = {name: number(row[f"bridge_{name}_milliunits"]) for name in BRIDGE_CELLS}
        return [value[name] for name in BRIDGE_CELLS]

    def build(row):
        *lines, apple = amounts(row)
        return [cash(amount, row["currency"]) for amount in lines] + [(money(apple, row["currency"]),)]

    return scoped([row for row in daily if row["environment"] == "Production" and any(amounts(row))], build)


def identities_page(identities):
    rows = []
    for name, text in SUMS.items():
        here = [row for row in identities if row["identity"] == name]
        failed = [row for row in here if row["holds"] != "yes"]
        result = "✓ holds in all" if not failed else f"✗ fails in {len(failed)}"
        rows.append(("", [(name,), (text,), dot(len(here)), (result if here else "nothing to check",)]))
    return rows


def ageing_page(ageing, explanations):
    rows, last = [], None
    for row in ageing:
        value, currency, first = figures_of(row) | counts_of(row), row["currency"], row["class"] != last
        last = row["class"]
        reported = explanations.get(row["class"], "")
        cells = [below(row["class"], reported) if first else ("",), (row["severity"] if first else "",), (currency or "–",)]
        cells += [counted(value[f"count_{name}"], value[f"amount_{name}_milliunits"], currency) for name, _, _ in BUCKETS]
        cells.append(counted(value["decided_count"], value["decided_amount_milliunits"], currency))
        cells += [dot(value[name + "_count"]) for name in ("opening", "new", "resolved")]
        closing = counted(value["closing_count"], value["closing_amount_milliunits"], currency)
        cells.append(closing if value["closing_count"] else ("0",))
        cells.append((row["oldest_opened_on"], row["oldest_id"][:12]) if row["oldest_id"] else ("",))
        rows.append(("first" if first else "", cells))
    return rows + ([ageing_sum(ageing)] if len(ageing) > 1 else [])


def counts_of(row):
    return {name: number(value) for name, value in row.items() if name.startswith("count_")}


def ageing_sum(ageing):
    names = [f"count_{name}" for name, _, _ in BUCKETS] + [f"{name}_count" for name in (
        "decided", "opening", "new", "resolved", "closing")]
    sums = [dot(sum(number(row[name]) for row in ageing)) for name in names]
    return "sum", [("All classes",), ("",), ("",)] + sums + [("",)]


def below(text, small):
    return (text, small) if small else (text,)


def top_page(top):
    return [("", [(f"{money(int(row['amount_milliunits']), row['currency'])} {row['currency']}",), (row["class"],),
                  (row["severity"],), (row["age_days"],), (row["bundle_id"],), below(row["order_id"] or "no order", row["user_id"]),
                  (row["transaction_id"] or "no transaction",), (row["owner_team"],), (row["detail"],)]) for row in top]


def breaks_page(world, breaks):
    rows = []
    for row in breaks:
        decided, resolved = row["status"] in DECIDED, row["status"] == "resolved"
        rows.append(("done" if decided or resolved else "", [
            (row["class"], row["break_id"][:12]), (row["severity"],), status_cell(row), (row["age_days"], row["opened_on"]),
            amount_cell(row),
            below(row["order_id"] or "no order", row["user_id"]),
            below(row["transaction_id"] or "no transaction", row["product_id"]),
            below(row["owner_team"], due_text(world, row)),
            below(row["detail"], row["reason"] if decided else row["runbook"])]))
    return rows


def amount_cell(row):
    if not row["amount_milliunits"] or not row["currency"]:
        return ("–",)
    differs = number(row["diff_amount_milliunits"])
    text = f"{money(int(row['amount_milliunits']), row['currency'])} {row['currency']}"
    return below(text, f"difference {money(differs, row['currency'])}" if differs else "")


def status_cell(row):
    text = row["status"].replace("_", " ")
    if row["status"] not in DECIDED:
        return (text,)
    who = "by " + row["decided_by"] + (f" and {row['approved_by']}" if row["approved_by"] else "")
    return text, who + (f", until {minute(row['until'])}" if row["until"] else "")


def due_text(world, row):
    if row["status"] == "resolved":
        return f"resolved {minute(row['resolved_at'])}"
    if row["status"] in DECIDED:
        return ""
    return ("overdue since " if instant(row["due_at"]) <= world.as_of else "due ") + row["due_at"][:10]


def age_text(minutes):
    if not minutes:
        return "–"
    value = int(minutes)
    return f"{value} min" if value < 120 else f"{value // 60} h" if value < 2880 else f"{value // 1440} d"


def inputs_page(inputs):
    names = ("input", "accepted", "repeated", "ignored", "parked")
    return [("", [(row["kind"],), (row["file_name"], row["sha256"])] + [dot(number(row[name + "_count"])) for name in names]
             + [(minute(row["newest_fact_at"]) if row["newest_fact_at"] else "–",), (age_text(row["age_minutes"]),)])
            for row in inputs]


def quarantine_page(world):
    rows = sorted(world.quarantine, key=lambda row: (row["day"], row["source"]), reverse=True)
    return [("", [(row["day"],), (row["source"],), dot(int(row["item_count"])), dot(int(row["byte_count"])),
                  (minute(row["first_at"]),), (minute(row["last_at"]),), dot(int(row["kept_count"])),
                  below(row["samples"].split(" ")[0][:12], row["reasons"])]) for row in rows]


OUTSIDE_WHY = {"charges_before_start": "Charges before the start date", "orders_before_start": "Orders before the start date",
               "charges_before_first_order": "Charges before the first order",
               "orders_after_apple": "Orders after the newest evidence of Apple"}


def outside_page(rows):
    return [("", [(row["bundle_id"],), (OUTSIDE_WHY.get(row["reason"], row["reason"]),), (row["limit_day"] or "–",), dot(int(row["item_count"])),
                  (with_currency(row["amount_milliunits"], row["currency"]),), (row["first_day"],), (row["last_day"],)]) for row in rows]


ALLOWED_BY = {"users": "tester in the users file", "list": "on the list of testers", "settings": "by the settings"}


def allowed_page(rows):
    return [("", [(row["bundle_id"],), below(row["user_id"], ALLOWED_BY.get(row["allowed_by"], "")), below(row["order_id"], row["product_id"]),
                  (row["transaction_id"],), (minute(row["delivered_at"]),),
                  (f"{money(int(row['price_milliunits']), row['currency'])} {row['currency']}" if row["price_milliunits"] else "–",)])
            for row in rows[:100]]


# The folded tables of the rows behind the figures: title, note, heads, rows, how many there are, command for the others.

BEHIND = "Rows behind the figures"
BEHIND_NOTE = ("A figure that is a link opens its table here. Each has at most 200 rows and names the command for the others. "
               "On paper stand those that are open.")
ROWS_MAX = 200
DAY_ORDER = ("no charge", "broken", "ambiguous", "pending", "heuristic", "derived", "exact", "excluded")
DAY_HEADS = "Outcome|When and app|Transaction and product|Apple charged|Order and user|Status|We booked"
PENDING_HEADS = "Class and id|Breaks at|App|Amount|Order and user|Transaction|Detail"


def sentence(text):
    return text[:1].upper() + text[1:] + "."


def explained(breaks):
    """One sentence of each class that the break list has."""
    return {row["class"]: sentence(row["runbook"]) for row in breaks}


def with_currency(milliunits, currency):
    return f"{money(int(milliunits), currency)} {currency}" if milliunits and currency else "–"


def day_lines(world):
    """Charges of each app's business day and its booked orders without charge."""
    lines = []
    for charge in world.charges:
        bundle = charge["bundle_id"]
        if charge["environment"] != "Production" or bundle not in world.zones:
            continue
        if world.day_of(bundle, charge["purchased_at"]) == world.business_day(bundle):
            match = world.match_of_charge.get(charge["charge_id"])
            lines.append((world.part_of(charge), charge["purchased_at"], charge["charge_id"], charge,
                          world.order[match["order_id"]] if match else None))
    for order in world.orders:
        bundle = order["bundle_id"]
        if not world.booked(order) or bundle not in world.zones or order["order_id"] in world.match_of_order:
            continue
        if world.day_of(bundle, order["created_at"]) == world.business_day(bundle):
            lines.append(("no charge", order["created_at"], order["order_id"], None, order))
    lines.sort(key=lambda line: line[2])
    lines.sort(key=lambda line: instant(line[1]), reverse=True)
    return sorted(lines, key=lambda line: DAY_ORDER.index(line[0]))


def day_page(world):
    rows = []
    for part, moment, _, charge, order in day_lines(world):
        some = charge or order
        rows.append(("", [
            (part,), (minute(moment), some["bundle_id"]),
            (charge["transaction_ids"].split(" ")[0] if charge else "no charge", some["product_id"]),
            (with_currency(charge["price_milliunits"], charge["currency"]) if charge else "–",),
            below(order["order_id"], order["user_id"]) if order else ("no order",), (order["status"] if order else "",),
            (with_currency(order["price_milliunits"], order["currency"]) if order else "–",)]))
    return rows


def pending_page(world):
    return [("", [(row["class"], row["break_id"][:12]), (minute(row["breaks_at"]),), (row["bundle_id"],),
                  (with_currency(row["amount_milliunits"], row["currency"]),), below(row["order_id"] or "no order", row["user_id"]),
                  (row["transaction_id"] or "no transaction",), (row["detail"],)]) for row in world.pending]


def identity_lines(identities):
    rows = []
    for row in identities:
        place = [row[name] for name in ("scope", "bundle_id", "environment", "currency") if row[name]]
        rows.append(("", [(row["identity"],), (" · ".join(place),), (row["formula"],),
                          ("✓ holds" if row["holds"] == "yes" else "✗ fails",)]))
    return rows


def folded_pages(world, tables):
    breaks = tables["breaks"]
    old = [row for row in breaks if row["status"] in UNDECIDED and age_of_row(row) > 30]
    heads = HEADS["Break list"]
    pages = [
        ("Charges and orders of the day", "Production; orders without charge and what is broken first, each from the latest on.",
         DAY_HEADS, day_page(world), "export charges"),
        ("Inside their grace time", "Each becomes a break at its instant unless it resolves before.", PENDING_HEADS,
         pending_page(world), "breaks pending"),
        ("Every identity", "One line per sum and slice, with its numbers.", "Identity|Slice|Sum|Result",
         identity_lines(tables["identities"]), "report daily --format csv"),
        ("Undecided for more than 30 days", "Most severe first, then oldest.", heads, breaks_page(world, old), "breaks list")]
    for name, reported in sorted(explained(breaks).items()):
        here = [row for row in breaks if row["class"] == name]
        pages.append((name, reported, heads, breaks_page(world, here), f"breaks list --class {name}"))
    return [page for page in pages if page[3]]


def age_of_row(row):
    return int(row["age_days"])


def check_behind(report, world, block, pages, out):
    where = f"{page_name(report)}: {BEHIND}"
    out.same(f"{where}: note", [node.text() for node in block.children("p")], [BEHIND_NOTE], "text")
    folds = block.children("details")
    titles = [only(fold, "summary", where, out).text() for fold in folds]
    out.same(f"{where}: tables", titles, [page[0] for page in pages], "layout")
    boxes = [box for box in block.children("div") if box.style.split()[:1] == ["rows"]]
    out.same(f"{where}: rows", len(boxes), len(folds), "layout")
    for fold, inner, (title, note, heads, rows, command) in zip(folds, boxes, pages):
        count = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"
        small = fold.all("summary")[0].children("small")
        out.same(f"{where}: {title}: count", [node.text() for node in small], [count], "recomputed from exports")
        printed = [span.text() for node in small for span in node.children("span")]
        out.same(f"{where}: {title}: in print", printed, ["· not printed"] if "unprinted" in inner.style else [], "text")
        out.same(f"{where}: {title}: closed", "open" in fold.attributes, False, "layout")
        rest = len(rows) - ROWS_MAX
        want = note + (f" {rest:,} more: payrecon {command} --as-of {report.manifest['as_of']}" if rest > 0 else "")
        anchor = "rows-" + re.sub("[^a-z0-9]+", "-", title.lower())
        out.same(f"{where}: {title}: anchor", inner.attributes.get("id"), anchor, "layout")
        out.same(f"{where}: {title}: note", [node.text() for node in inner.children("p")], [want], "text")
        compare_page_table(f"{where}: {title}", inner, heads.split("|"), rows[:ROWS_MAX], out)


def check_class_links(report, blocks, tables, out):
    """Every count of breaks of a class leads to the breaks of that class, and nothing else does."""
    listed = set(explained(tables["breaks"]))
    for block in blocks:
        if block.attributes.get("id") != "breaks-by-class-and-age":
            continue
        name = ""
        for row in [row for row in block.all("tr") if row.parent.tag == "tbody" and row.style != "sum"]:
            cells = row.children("td")
            name = cells[0].own() or name
            want = "#rows-" + name.lower().replace("_", "-")
            for cell in cells[3:-1]:
                links = [link.attributes.get("href") for link in cell.children("a")]
                counts = cell.own() not in ("·", "0") and name in listed
                out.same(f"{page_name(report)}: link of {name} {cell.own()}", links, [want] if counts else [], "layout")


def check_summary_links(report, world, blocks, tables, out):
    """A count of the day leads to the day's rows; to date what is ambiguous, pending or broken leads to its own."""
    to_date = {"Pending": "#rows-inside-their-grace-time" if world.pending else "", "Broken": "#break-list",
               "Ambiguous": "#rows-ambiguous-match" if "AMBIGUOUS_MATCH" in explained(tables["breaks"]) else ""}
    day = "#rows-charges-and-orders-of-the-day" if day_lines(world) else ""
    heads = HEADS["Charges and orders"].split("|")
    for block in blocks:
        if block.attributes.get("id") != "charges-and-orders":
            continue
        scope = ""
        for row in [row for row in block.all("tr") if row.parent.tag == "tbody"]:
            cells = row.children("td")
            scope = cells[0].own() or scope
            for head, cell in zip(heads[3:], cells[3:]):
                links = [link.attributes.get("href") for link in cell.children("a")]
                of_day = day if head not in ("Refunds", "Late", "Matched") else ""
                want = of_day if scope == "business day" else to_date.get(head, "")
                counts = cell.own() not in ("·", "0") and want
                out.same(f"{page_name(report)}: link of {scope} {head} {cell.own()}", links, [want] if counts else [], "layout")


def check_blocks(report, world, blocks, tables, out):
    pages = {
        "Charges and orders": charges_page(tables["daily"]), "Bridge from our book to the Apple book": bridge_page(tables["daily"]),
        "Identities": identities_page(tables["identities"]), "Breaks by class and age": ageing_page(tables["ageing"], explained(tables["breaks"])),
        "Most money at stake": top_page(tables["top_exposure"]), "Break list": breaks_page(world, tables["breaks"]),
        "What this report rests on": inputs_page(tables["inputs"]), "Quarantine": quarantine_page(world),
        "Allowed sandbox deliveries": allowed_page(tables.get("allowed_sandbox", [])),
        "Outside the reconciliation": outside_page(tables.get("not_reconciled", []))}
    absent = {"Quarantine": not world.quarantine, "Allowed sandbox deliveries": "allowed_sandbox" not in tables,
              "Outside the reconciliation": "not_reconciled" not in tables}
    wanted = [name for name in BLOCKS if not absent.get(name)]
    titles = [only(block, "h2", "page", out).text() for block in blocks]
    behind = folded_pages(world, tables)
    out.same(f"{page_name(report)}: sections", titles, wanted + ([BEHIND] if behind else []), "layout")
    if behind and titles and titles[-1] == BEHIND:
        check_behind(report, world, blocks[-1], behind, out)
        titles, blocks = titles[:-1], blocks[:-1]
    check_class_links(report, blocks, tables, out)
    check_summary_links(report, world, blocks, tables, out)
    sandbox = sum(number(row["sandbox_count"]) for row in tables["daily"] if row["scope"] == "to_date")
    for title, block in zip(titles, blocks):
        if title not in pages:
            out.unchecked(f"{page_name(report)}: section", title)
            continue
        check_block(report, world, title, block, pages[title], sandbox, out)


def check_block(report, world, title, block, rows, sandbox, out):
    where = f"{page_name(report)}: {title}"
    notes = block.children("p")
    want = NOTES[title].format(sandbox=SANDBOX.get(sandbox, f"{sandbox:,} sandbox purchases stand apart."))
    if title in COMMAND_TABLES:
        want += " " + command_note(COMMAND_TABLES[title])
    out.same(f"{where}: note", [node.text() for node in notes if node.style == "note"], [want], "text")
    empty = [node.text() for node in notes if node.style == "empty"]
    if rows:
        out.same(f"{where}: empty", empty, [], "there are rows to show")
        compare_page_table(where, block, HEADS[title].split("|"), rows, out)
        return
    missing = report.manifest["verdict"] == "incomplete" and title in ("Breaks by class and age", "Most money at stake", "Break list")
    out.same(f"{where}: empty", empty, [EMPTY_INCOMPLETE if missing else EMPTY[title]], "text")
    out.same(f"{where}: tables", len(block.all("table")), 0, "nothing to show")


def check_page(report, world, tables, out):
    file = page_name(report)
    root = parse_page(report.path(file), out)
    body = root.all("body")[0]
    sections = body.children("section")
    styles = [section.style.split()[0] for section in sections]
    out.same(f"{file}: layout", styles[:3], ["verdict", "figures", "charts"], "layout")
    out.same(f"{file}: layout, blocks", set(styles[3:]), {"block"}, "layout")
    check_header(report, world, root, tables["days"], tables["daily"], out)
    check_verdict(report, world, sections[0], out)
    check_classes(report, world, root, out)
    check_figures(report, world, sections[1], tables["daily"], tables["identities"], out)
    check_charts(report, world, sections[2], tables["daily"], tables["days"], out)
    check_blocks(report, world, sections[3:], tables, out)
    for block in sections[3:]:
        title = only(block, "h2", file, out).text()
        if title in COMMAND_TABLES:
            check_commands(report, title, block, COMMAND_TABLES[title], tables | {"quarantine": world.quarantine}, out)
    check_links(root, file, out)
    report_unclaimed(root, file, out)


# ---------------------------------------------------------------------------------------------------------------------
# Renewals. Plans and outcomes are in no export: the parts are held against each other, members against subscriptions.

RENEWAL_ROWS_MAX = 40
RENEWED = ("renewed_on_time", "renewed_in_grace", "recovered_retry")
EXPIRED = ("expired_voluntary", "expired_billing", "expired_price", "expired_unavailable", "expired_unknown", "revoked_before_due")
CHANGED = ("upgraded", "downgraded", "crossgraded")
STILL = ("still_retry", "still_grace")
OUTCOMES = RENEWED + EXPIRED + CHANGED + STILL + ("extended",)
UNANSWERED = ("unpolled", "poll_error")
RENEWAL_KEYS = ("due_day", "bundle_id", "product_id", "storefront", "currency")
RENEWAL_NOTES = {
    "Outcomes of due renewals": "Production. Every member of a plan stands in one column from “On time” to “Not yet due”.",
    "Forecast and actual": "Rate: more or fewer renewed than forecast, at the planned average price. Price: charged otherwise than "
    "planned. Mix: others renewed than the average member, and renewals outside of the plan.",
    "Identities": "Sums that must hold in every cell; the actual side is counted apart from the outcomes.",
}
RENEWAL_HEADS = {
    "Outcomes of due renewals": "Due day|Product|Storefront|Due|On time|In grace|Recovered|Changed plan|Expired or revoked|Extended|"
    "Still trying|Outcome unknown|Not yet due|Not in plan|Booked|To book|Order, no renewal|Access too long",
    "Forecast and actual": "Due day|Product|Storefront|Forecast|Actual|Due money|Forecast money|Actual money|Difference|Rate|Price|Mix",
    "Identities": "Identity|Sum|Checked|Result",
}
RENEWAL_SUMS = {
    "due": "due = outcomes + unpolled + not yet due", "actual": "actual = renewed + not in plan",
    "actual amount": "actual amount = renewed + not in plan", "variance": "difference = rate + price + mix",
}


def cell(row, *names):
    return sum(number(row[name] if name in row else row[name + "_count"]) for name in names)


def renewal_identities(row):
    outcomes, open_ones, later = cell(row, *OUTCOMES), cell(row, *UNANSWERED), cell(row, "not_yet_due")
    renewed, outside = cell(row, *RENEWED, "renewed_changed"), cell(row, "not_in_plan")
    amounts = sum(number(row[name + "_amount_milliunits"]) for name in RENEWED + ("renewed_changed",))
    extra = number(row["not_in_plan_amount_milliunits"])
    parts = [number(row[name + "_variance_milliunits"]) for name in ("rate", "price", "mix")]
    texts = [str(value) for value in (number(row["actual_amount_milliunits"]), amounts, extra,
                                      number(row["diff_amount_milliunits"]), *parts)]      # thousandths: observed, see findings
    yield "due", cell(row, "due"), outcomes + open_ones + later, (
        f"due {cell(row, 'due')} = outcomes {outcomes} + unpolled {open_ones} + not yet due {later}")
    yield "actual", cell(row, "actual"), renewed + outside, f"actual {cell(row, 'actual')} = renewed {renewed} + not in plan {outside}"
    yield "actual amount", number(row["actual_amount_milliunits"]), amounts + extra, (
        "actual {} = renewed {} + not in plan {}".format(*texts[:3]))
    yield "variance", number(row["diff_amount_milliunits"]), sum(parts), "difference {} = rate {} + price {} + mix {}".format(*texts[3:])


def check_renewal_identities(rows, found, out):
    wanted = [(row, part) for row in rows for part in renewal_identities(row)]
    out.same("renewal_identities.csv: number of rows", len(found), len(wanted), "four per row of renewals.csv")
    for have, (row, (name, left, right, formula)) in zip(found, wanted):
        where = "renewal_identities.csv: " + " ".join([name] + [row[key] for key in RENEWAL_KEYS])
        want = {"identity": name, **{key: row[key] for key in RENEWAL_KEYS}, "formula": formula, "left": str(left),
                "right": str(right), "difference": str(left - right), "holds": "yes" if left == right else "no"}
        for column in want:
            out.same(f"{where} {column}", have[column], want[column], "recomputed from renewals.csv")


def check_renewal_members(world, rows, details, out):
    """Members of plans: counted into renewals.csv, and what subscriptions, charges and matches say of each."""
    counts = defaultdict(Counter)
    chain = {(row["bundle_id"], row["original_transaction_id"]): row for row in world.subscriptions}
    of_transaction = {name: row for row in world.charges for name in re.split(r"[ ;,|]+", row["transaction_ids"])}
    for row in details:
        where = f"renewal_details.csv: {row['due_day']} {row['original_transaction_id']}"
        known = chain.get((row["bundle_id"], row["original_transaction_id"]))
        if not known:
            out.differ(where, row["original_transaction_id"], None, "export subscriptions")
            continue
        for name, other in (("user_ref", "user_id"), ("status", "status"), ("last_polled_at", "last_polled_at"),
                            ("grace_until", "grace_until"), ("next_poll_at", "next_poll_at")):
            out.same(f"{where} {name}", row[name], known[other], "export subscriptions")
        charge = of_transaction.get(row["new_transaction_id"])
        if row["new_transaction_id"]:
            match = world.match_of_charge.get(charge["charge_id"]) if charge else None
            out.same(f"{where} order_id", row["order_id"], match["order_id"] if match else "", "export matches")
        key = row["due_day"], row["bundle_id"], known["storefront"], row["currency"]
        counts[key].update({"due": 1, row["outcome"] or "not_yet_due": 1})
    sums = defaultdict(Counter)
    for row in rows:
        key = row["due_day"], row["bundle_id"], row["storefront"], row["currency"]
        sums[key].update({name: cell(row, name) for name in ("due", "not_yet_due") + OUTCOMES + UNANSWERED})
    for key in sorted(set(counts) | set(sums)):
        out.same(f"renewals.csv: {' '.join(key)}", dict(+sums[key]), dict(+counts[key]), "members in renewal_details.csv")


def renewal_figures(rows, identities):
    def add(*names):
        return sum(cell(row, *names) for row in rows)

    settled = add(*OUTCOMES) - add(*STILL)
    holding = sum(1 for row in identities if row["holds"] == "yes")
    return [("Due", f"{add('due'):,}", "in the frozen plans"),
            ("Forecast", f"{add('forecast'):,}", f"{add('forecast_low'):,} to {add('forecast_high'):,}"),
            ("Renewed", f"{add(*RENEWED, 'renewed_changed'):,}", f"of {settled:,} settled"),
            ("To book", f"{add('renewed_no_order'):,}", "renewed, no order"),
            ("Outcome unknown", f"{add(*UNANSWERED):,}", "Apple has not reported it yet, or the poll failed"),
            ("Identities", f"{holding:,} of {len(identities):,}", "hold")]


def renewal_head(row):
    return [(row["due_day"],), (row["product_id"], row["bundle_id"]), (f"{row['storefront']} {row['currency']}".strip(),)]


def outcome_row(row):
    groups = (("due",), ("renewed_on_time",), ("renewed_in_grace",), ("recovered_retry",), CHANGED, EXPIRED, ("extended",), STILL,
              UNANSWERED, ("not_yet_due",), ("not_in_plan",), ("order_created",), ("renewed_no_order",), ("order_no_renewal",),
              ("entitlement_overrun",))
    return "", renewal_head(row) + [dot(cell(row, *names)) for names in groups]


def forecast_row(row):
    span = f"{row['forecast_low']}–{row['forecast_high']}"
    names = ("due_amount", "forecast_amount", "actual_amount", "diff_amount", "rate_variance", "price_variance", "mix_variance")
    return "", (renewal_head(row) + [dot(cell(row, "forecast")) + (span,), dot(cell(row, "actual"))]
                + [cash(number(row[name + "_milliunits"]), row["currency"]) for name in names])


def renewal_sum_rows(identities):
    rows = []
    for name, text in RENEWAL_SUMS.items():
        here = [row for row in identities if row["identity"] == name]
        good = all(row["holds"] == "yes" for row in here)
        rows.append(("", [(name,), (text,), dot(len(here)), ("✓ holds in all" if good and here else "nothing to check",)]))
    return rows


def renewal_bars(rows):
    def add(*names):
        return sum(cell(row, *names) for row in rows)

    return [("renewed on time", add("renewed_on_time")), ("renewed in grace", add("renewed_in_grace")),
            ("recovered in retry", add("recovered_retry")), ("changed plan", add(*CHANGED)), ("still trying", add(*STILL)),
            ("cancelled", add("expired_voluntary")), ("could not pay", add("expired_billing")),
            ("expired otherwise, revoked", add("expired_price", "expired_unavailable", "expired_unknown", "revoked_before_due")),
            ("extended", add("extended")), ("outcome unknown", add(*UNANSWERED)), ("not yet due", add("not_yet_due"))]


def money_texts(report, rows):
    """Actual of forecast per currency, of days before the clock's own; rounded down like every other rate of the page."""
    actual, forecast = Counter(), Counter()
    for row in rows:
        if row["due_day"] < report.manifest["as_of"][:10]:
            actual[row["currency"]] += number(row["actual_amount_milliunits"])
            forecast[row["currency"]] += number(row["forecast_amount_milliunits"])
    shown = [name for name in sorted(forecast) if forecast[name]]
    return [text for name in shown for text in (name, percent(ratio(actual[name], forecast[name])))] or ["nothing to show"]


def renewal_day_texts(rows):
    days = defaultdict(Counter)
    for row in rows:
        days[row["due_day"]].update({name: cell(row, name) for name in ("actual", "forecast", "forecast_high")})
    if len(days) < 2:
        return ["fewer than two days are planned"]
    most = max(value for found in days.values() for value in found.values())
    return [f"{most:,}", "0", min(days), max(days), "renewed", "forecast, low to high"]


def check_renewals_page(report, world, rows, identities, out):
    file = "renewals.html"
    root = parse_page(report.path(file), out)
    sections = root.all("body")[0].children("section")
    out.same(f"{file}: title", [node.text() for node in root.all("title")], [f"Renewals {report.manifest['as_of']}"], "text")
    check_subject(report, root, sections[0], rows, identities, out)
    for box, (name, value, below_it) in zip(sections[1].children("div"), renewal_figures(rows, identities)):
        texts = [only(box, tag, file, out).text() for tag in ("h2", "b", "small")]
        out.same(f"{file}: figure {name}", texts, [name, value, below_it], "recomputed from renewals.csv")
    svgs = {node.children("figcaption")[0].text(): node.children("svg")[0] for node in sections[2].children("figure")}
    captions = ["Renewals a due day, forecast and actual", "Outcomes of due renewals",
                "Actual against forecast money, completed days only"]
    out.same(f"{file}: charts", list(svgs), captions, "layout")
    texts = [node.text() for node in svgs[captions[0]].children("text")]
    out.same(f"{file}: chart {captions[0]}", texts, renewal_day_texts(rows), "recomputed from renewals.csv")
    texts = [node.text() for node in svgs[captions[2]].children("text")]
    out.same(f"{file}: chart {captions[2]}", texts, money_texts(report, rows), "rate")
    bars = renewal_bars(rows)
    check_bars(svgs[captions[1]], f"{file}: chart {captions[1]}", bars if any(value for _, value in bars) else [], out)
    latest = list(reversed(rows))[:RENEWAL_ROWS_MAX]
    pages = {"Outcomes of due renewals": [outcome_row(row) for row in latest],
             "Forecast and actual": [forecast_row(row) for row in latest], "Identities": renewal_sum_rows(identities)}
    more = f" The latest {RENEWAL_ROWS_MAX} of {len(rows)}; renewals.csv has all." if len(rows) > RENEWAL_ROWS_MAX else ""
    out.same(f"{file}: lines to sign", [node.text() for node in sections[-1].children("p")], ["Prepared by, date", "Reviewed by, date"], "text")
    for block in sections[3:-1]:
        check_renewal_block(file, block, pages, more, out)
        title = only(block, "h2", file, out).text()
        if title != "Identities":
            check_commands(report, title, block, "renewals", {"renewals": rows}, out)
    check_renewal_frame(report, root, out)
    check_links(root, file, out)
    report_unclaimed(root, file, out)


def check_subject(report, root, banner, rows, identities, out):
    """The banner of the page is about renewals alone; the verdict of the whole reconciliation is a line below it."""
    failed = sum(1 for row in identities if row["holds"] != "yes")
    alone, unknown = (sum(cell(row, *names) for row in rows) for names in (("renewed_no_order",), UNANSWERED))
    manifest = report.manifest
    if manifest["verdict"] in ("incomplete", "failed"):
        want = (manifest["verdict"], HEADLINES[manifest["verdict"]])
    elif failed:
        want = ("breaks", f"{failed} sums do not hold: do not rely on these figures.")
    elif not rows:
        want = ("pending", "No day was planned yet: payrecon renewals plan.")
    elif alone:
        want = ("breaks", f"{alone:,} renewals have no order.")
    elif unknown:
        want = ("pending", f"The outcome of {unknown:,} due renewals is unknown.")
    elif all(row["due_count"] == row["not_yet_due"] for row in rows):
        want = ("pending", f"None of the {sum(int(row['due_count']) for row in rows):,} planned renewals is due yet.")
    else:
        want = ("clean", "Every renewal has its order, and every due outcome is known.")
    where = "renewals.html: banner"
    out.same(where, (banner.style.removeprefix("verdict "), only(banner, "strong", where, out).text()), want, "recomputed from renewals.csv")
    whole = [node.text() for node in root.all("p") if node.style == "whole"]
    headline = f"The reconciliation as a whole: {HEADLINES[manifest['verdict']]}"
    out.same(f"{where}, whole", whole, [] if want[0] in ("incomplete", "failed") else [" ".join([headline] + manifest["verdict_reasons"])], "text")


def check_renewal_block(file, block, pages, more, out):
    title = only(block, "h2", file, out).text()
    where = f"{file}: {title}"
    if title not in pages:
        out.unchecked(file, f"section {title}")
        return
    note = [node.text() for node in block.children("p") if node.style == "note"]
    reported = "" if title == "Identities" else more + " " + command_note("renewals")
    out.same(f"{where}: note", note, [RENEWAL_NOTES[title] + reported], "text")
    if pages[title]:
        compare_page_table(where, block, RENEWAL_HEADS[title].split("|"), pages[title], out)


def check_renewal_frame(report, root, out):
    manifest = report.manifest
    header = root.all("header")[0]
    out.same("renewals.html: header", [node.text() for node in header.all("h1")], ["Renewals"], "text")
    pairs = [node.text() for node in header.walk() if node.tag in ("dt", "dd")]
    out.same("renewals.html: clock", pairs, ["As of", manifest["as_of"], "Run", manifest["run_id"]], "same")
    rows = report.tables["renewals"][1]
    days = [row["due_day"] for row in rows]
    sub = [node.text() for node in header.all("p")]
    apps, _, reported = sub[0].partition(" · due days ")
    out.same("renewals.html: due days", reported, f"{min(days)} to {max(days)}" if days else "", "recomputed from renewals.csv")
    out.same("renewals.html: apps", {row["bundle_id"] for row in rows} <= set(apps.split(", ")), True, "apps of the plans")
    foot = f"payrecon {manifest['code_version']} · settings {manifest['settings_sha256'][:12]} · hashes of all files in manifest.json"
    out.same("renewals.html: footer", [node.text() for node in root.all("footer")], [foot], "text")


def check_renewals_report(report, world, out):
    names = ["renewal_details", "renewal_identities", "renewals"]
    out.same("folder: CSV files", sorted(report.tables), names, "page Report files")
    rows, details, identities = (report.tables[name][1] for name in ("renewals", "renewal_details", "renewal_identities"))
    out.note("plans, forecasts, outcomes and variances are in no export: renewals.csv is held against its members, its identities "
             "and the page")
    check_renewal_identities(rows, identities, out)
    check_renewal_members(world, rows, details, out)
    content = report.read_json("renewals.json")
    for field in JSON_HEAD:
        out.same(f"renewals.json: {field}", content.get(field), report.manifest.get(field), "same")
    for name, reported in content.items():
        table = {"renewals": rows, "renewal_identities": identities, "identities": identities, "renewal_details": details,
                 "details": details}.get(name)
        if table is not None:
            have = [{key: text_of(value) for key, value in row.items()} for row in reported]
            out.same(f"renewals.json: {name}", have == table, True, "same")
        elif name not in JSON_HEAD:
            out.unchecked("renewals.json", name)
    check_renewals_page(report, world, rows, identities, out)


# ---------------------------------------------------------------------------------------------------------------------
# All together


def learn_zones(world, report, out):
    """Time zones of apps are settings and in no export: the page's own are taken; days and counts then have to follow."""
    names = available_timezones()
    for row in report.tables["daily"][1]:
        if row["tz"] not in names:
            out.differ(f"daily.csv: time zone of {row['bundle_id']}", row["tz"], "an IANA name", "tz")
        elif row["bundle_id"]:
            world.zones[row["bundle_id"]] = row["tz"]
    out.note("time zones of apps are settings, in no export: taken from daily.csv, and every count per day must follow from them")
    out.note("fail_at and max_age are settings, in no export: taken at their defaults, low and 30h")
    last = {}
    for row in report.tables["days"][1]:
        last[row["bundle_id"]] = max(date.fromisoformat(row["day"]), last.get(row["bundle_id"], date.min))
    utc = world.as_of.date()
    for bundle, day in last.items():
        known = world.business_day(bundle) if bundle in world.zones else None
        if known and day != known:
            out.differ(f"days.csv: last day of {bundle}", day.isoformat(), known.isoformat(), "tz")
        elif not utc - timedelta(days=2) <= day <= utc:
            out.differ(f"days.csv: last day of {bundle}", day.isoformat(), f"about {utc - timedelta(days=1)}", "tz")
    return last


def expected_tables(world, report, out):
    last = learn_zones(world, report, out)
    inputs, note = expected_inputs(world, report.tables["inputs"][1])
    out.note(note)
    out.note("class_since and leg of a break are in no export: only bounds")
    if not world.previous:
        out.note("without EXPORT_FOLDER/previous late arrivals are only held against bounds, and decided breaks are taken as not new")
    allowed = allowed_rows(world, report)
    world.unpaid = sandbox_deliveries(world, allowed)
    daily = daily_rows(world)
    return {"daily": daily, "days": day_rows(world, last), "ageing": ageing_rows(world), "top_exposure": top_rows(world),
            "breaks": break_rows(world), "inputs": inputs, **quarantine_rows(world),
            **outside_rows(world, report), **allowed}


def outside_rows(world, report):
    """Charges and orders without the other side, from days of which the other side was not read. Start dates are settings: none is set."""
    named = {row["bundle_id"] for row in report.tables["days"][1]}
    facts = [instant(row["newest_fact_at"]) for row in report.tables["inputs"][1] if row["kind"] == "apple" and row["newest_fact_at"]]
    sums = defaultdict(lambda: [0, 0, None, None, None])
    for bundle in sorted(named):
        orders = [row for row in world.orders if row["bundle_id"] == bundle and world.booked(row)]
        charges = [row for row in world.charges if row["bundle_id"] == bundle and row["environment"] == "Production"]
        first = min((world.order_day(row) for row in orders), default=None)
        last = max((world.day_of(bundle, row["purchased_at"]) for row in charges), default=None)
        until = max([last] + [moment.astimezone(world.zone(bundle)).date() for moment in facts]) if last else None
        for charge in charges:
            day = world.day_of(bundle, charge["purchased_at"])
            without = world.part_of(charge) != "excluded" and charge["charge_id"] not in world.match_of_charge
            if without and (first is None or day < first):
                add_outside(sums[bundle, "charges_before_first_order", charge["currency"]], charge, day, first)
        for order in orders:
            day = world.order_day(order)
            without = order["order_id"] not in world.match_of_order and order["order_id"] not in world.unpaid
            if without and (until is None or day > until):
                add_outside(sums[bundle, "orders_after_apple", order["currency"]], order, day, until)
    rows = [dict(zip(NOT_RECONCILED, key + tuple(text_of(value) for value in sums[key]))) for key in sorted(sums)]
    return {"not_reconciled": rows} if rows else {}


def add_outside(sum_of, row, day, limit):
    sum_of[0] += 1
    sum_of[1] += number(row["price_milliunits"])
    sum_of[2:] = [min(sum_of[2] or day.isoformat(), day.isoformat()), max(sum_of[3] or "", day.isoformat()), limit and limit.isoformat()]


def quarantine_rows(world):
    return {"quarantine": [{name: row[name] for name in QUARANTINE} for row in world.quarantine]} if world.quarantine else {}


def sandbox_deliveries(world, allowed):
    """Live orders that were delivered on purchases of the sandbox, allowed or not."""
    broken = {row["order_id"] for row in world.breaks if row["class"] == "SANDBOX_IN_PROD" and is_open(row)}
    return broken | {row["order_id"] for row in allowed.get("allowed_sandbox", [])}


def allowed_rows(world, report):
    """Live deliveries on sandbox purchases that are no break. That an order without match was refused for the sandbox is in no export
    unless it names the purchase; what allows it is told by users, lists and settings: both as the report tells them."""
    reported = {row["order_id"]: row for row in report.tables.get("allowed_sandbox", (ALLOWED, []))[1]}
    sandbox = {name for row in world.charges if row["environment"] != "Production" for name in row["transaction_ids"].split(" ")}
    named = {row["order_id"] for row in world.breaks if is_open(row)} | {row["order_id"] for row in world.pending}
    rows = []
    for order in sorted(world.orders, key=lambda row: (row["bundle_id"], row["user_id"], row["order_id"])):
        name = order["order_id"]
        is_live = (order["status"] == "delivered" or order["delivered_at"]) and order["status"] not in ("refunded", "revoked")
        if order["environment"] != "Production" or not is_live or name in world.match_of_order or name in named:
            continue
        if order["transaction_id"] not in sandbox and name not in reported:
            continue
        row = {column: order.get(column, "") for column in ALLOWED}
        row["delivered_at"] = order["delivered_at"] or order["paid_at"] or order["created_at"]
        row["transaction_id"] = order["transaction_id"] or reported.get(name, {}).get("transaction_id", "")
        row["allowed_by"] = reported.get(name, {}).get("allowed_by", "")
        rows.append(row)
    return {"allowed_sandbox": rows} if rows else {}


def check_daily_report(report, world, out, reads_page):
    if report.kind != "all":
        raise Unusable(f"a report of kind {report.kind!r} is not known here: give one of kind all or renewals")
    if not {"daily", "days", "inputs", "identities"} <= set(report.tables):
        raise Unusable("daily.csv, days.csv, inputs.csv and identities.csv are needed: give a report of kind all with CSV")
    expected = expected_tables(world, report, out)
    out.same("folder: CSV files", sorted(report.tables), sorted(list(expected) + ["identities"]), "page Report files")
    filled = {}
    for name in expected:
        columns, found = report.tables.get(name, (COLUMNS[name], []))
        filled[name] = compare_table(name, columns, expected[name], found, out)
    columns, found = report.tables["identities"]
    filled["identities"] = compare_table("identities", columns, identity_rows(filled["daily"]), found, out)
    check_inputs(world, report.tables["inputs"][1], out)
    check_day_totals(filled, out)
    for row in filled["breaks"]:
        if row["class"] not in CLASSES:
            out.unchecked("breaks.csv: class", row["class"])
    for name in JSON_FILES:
        check_json(report, name, filled, out)
    if reads_page and report.has("report.html"):
        check_page(report, world, filled, out)


def check_day_totals(tables, out):
    """The business day stands in daily.csv and, as last day, in days.csv: both must say the same."""
    for app in sorted({row["bundle_id"] for row in tables["days"]}):
        last = max((row for row in tables["days"] if row["bundle_id"] == app), key=lambda row: row["day"])
        rows = [figures_of(row) for row in tables["daily"]
                if (row["scope"], row["bundle_id"], row["environment"]) == ("day", app, "Production")]
        for name, names in (("tx_count", ["tx_count"]), ("order_count", ["order_count"]), ("matched_count", matched_names())):
            out.same(f"days.csv: {app} {last['day']} {name}", int(last[name]), total(rows, *names),
                     "the business day in daily.csv and in days.csv is the same day")


def run(report_folder, export_folder, reads_page=True):
    out = Differences()
    try:
        report = Report(report_folder)
        world = World(export_folder, report.as_of)
        check_manifest(report, out)
        check_run(report, world, out)
        if report.kind == "renewals":
            check_renewals_report(report, world, out)
        else:
            check_daily_report(report, world, out, reads_page)
    except (OSError, ValueError, KeyError, IndexError, csv.Error) as error:
        raise Unusable(f"{type(error).__name__}: {error}") from error
    return out


def main(arguments):
    if len(arguments) != 2:
        print("usage: page_check.py REPORT_FOLDER EXPORT_FOLDER", file=sys.stderr)
        return 2
    try:
        out = run(*arguments)
    except Unusable as error:
        print(f"page_check: cannot check: {error}", file=sys.stderr)
        return 2
    for text in out.notes:
        print("note:", text)
    for line in out.lines:
        print(line)
    print(f"{len(out.lines)} differences" if out.lines else "no difference")
    return 1 if out.lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
