"""Recomputes revenue on three bases and the journal from the facts of a world, by the page Money alone, in decimals.

usage: python3 revenue.py FACTS REVENUE JOURNAL TRIAL   (a JSON of facts; revenue.csv; journal.csv and trial_balance.csv of one period)

Prints how many figures agree and each that does not; the exit status is 1 if any differs.
"""
import csv
import json
import re
import sys
from collections import defaultdict
from datetime import date, datetime, timedelta
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo

BASES = ["gross", "net_of_tax", "proceeds", "estimated"]
NO_DECIMALS, SHOWN_MAX = {"JPY", "KRW"}, 12
EPOCH = date(1970, 1, 1)


def rounded(value, unit):
    return (value / unit).quantize(Decimal(1), ROUND_HALF_UP) * unit


def unit_of(currency):
    return Decimal(1) if currency in NO_DECIMALS else Decimal("0.01")


def day_of(text, zone):
    instant = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (instant.astimezone(ZoneInfo(zone)).date() - EPOCH).days


class World:
    def __init__(self, facts):
        self.facts = facts
        for charge in facts["charges"]:
            charge.setdefault("end", None)
            charge.setdefault("upgrade", None)
        for rate in facts["tax"] + facts["commission"]:
            rate.setdefault("storefront", None)
        self.fiscal = [(name, (date.fromisoformat(first) - EPOCH).days) for name, first in facts["fiscal_periods"]]

    def period(self, scope, day):
        """The number and name of a day's period; numbers follow one another."""
        if scope == "calendar":
            on = EPOCH + timedelta(days=day)
            return on.year * 12 + on.month - 1, f"{on.year:04}-{on.month:02}"
        index = max(i for i, (_, first) in enumerate(self.fiscal) if first <= day)
        return index, self.fiscal[index][0]

    def name(self, scope, number):
        return f"{number // 12:04}-{number % 12 + 1:02}" if scope == "calendar" else self.fiscal[number][0]

    def zone(self, scope, charge):
        return self.facts["apps"][charge["app"]]["zone"] if scope == "calendar" else self.facts["storefronts"][charge["storefront"]]

    def rate(self, rates, charge, day):
        fitting = [rate for rate in rates if rate["storefront"] in (None, charge["storefront"])
                   and (date.fromisoformat(rate["from"]) - EPOCH).days <= day]
        if not fitting:
            return Decimal(0)
        # The storefront's own rate, else the newest, else the last one of the list.
        best = max(enumerate(fitting), key=lambda rate: (rate[1]["storefront"] is not None, rate[1]["from"], rate[0]))[1]
        return Decimal(best["percent"]) / 100

    def amounts(self, charge):
        """Per basis: what the charge brings, each with the instant at which it became known."""
        price, unit = Decimal(charge["price"]), unit_of(charge["currency"])
        day = day_of(charge["purchased"], self.zone("fiscal", charge))
        tax, commission = (self.rate(self.facts[key], charge, day) for key in ("tax", "commission"))
        proceeds = rounded(price * (1 - commission) / (1 + tax), unit)
        proved = [(entry["known"], Decimal(entry["amount"])) for entry in charge["proved"]]
        return {"gross": [(None, price)], "net_of_tax": [(None, rounded(price / (1 + tax), unit))],
                "proceeds": [(None, proceeds)] + proved, "estimated": [(None, proceeds)] + [(at, Decimal(0)) for at, _ in proved[:1]]}


class Schedule:
    """The flows of one charge on one basis by day, from the facts known on a day."""

    def __init__(self, world, scope, charge, amounts, known, amount_known):
        zone = world.zone(scope, charge)
        self.day = lambda text: day_of(text, zone)
        heard = lambda fact: self.day(fact["known"]) - 1 <= known
        price, self.unit = Decimal(charge["price"]), unit_of(charge["currency"])
        self.total = [amount for at, amount in amounts if at is None or self.day(at) - 1 <= amount_known][-1]
        self.booked = self.day(charge["purchased"])
        term = [fact for fact in charge["terms"] if heard(fact)]
        start, end = (charge["start"], charge["end"]) if not term else (term[-1]["start"], term[-1]["end"])
        self.start = max(self.day(start), self.booked)
        self.sold = max(self.day(end) - self.start, 1) if end else 1
        self.longer = [(self.day(fact["at"]), self.day(fact["until"])) for fact in charge["extensions"] if heard(fact)]
        self.upgrade = next((self.day(fact["at"]) for fact in [charge["upgrade"]] if fact and heard(fact)), None)
        self.refunds = []
        for fact in filter(heard, charge["refunds"]):
            part = Decimal(fact["amount"])
            self.refunds.append((self.day(fact["at"]), self.total if part == price else rounded(part * self.total / price, self.unit)))

    def __eq__(self, other):
        return self.flows() == other.flows() and self.total == other.total

    def end(self):
        return self.longer[-1][1] if self.longer else self.start + self.sold

    def earned(self, amount, day):
        """What has been earned before a day: the share of the elapsed days, rounded down to whole units."""
        left, begin, end = amount, self.start, self.start + self.sold
        for stated, until in self.longer:
            turn = min(max(stated, begin), end)
            if day <= turn:
                break
            left -= self.share(left, turn - begin, end - begin)
            begin, end = turn, until
        return amount - (left - self.share(left, min(max(day, begin), end) - begin, end - begin))

    def share(self, amount, days, of):
        return (amount * days / of / self.unit).to_integral_value(ROUND_FLOOR) * self.unit

    def flows(self):
        """Amounts by day and kind of flow."""
        result = defaultdict(Decimal)
        left, is_upgraded = self.total, False
        last = max([self.end(), self.upgrade or 0] + [day for day, _ in self.refunds])
        for day in range(self.booked, last + 1):
            gone = lambda amount: self.earned(amount, min(day, self.upgrade) if is_upgraded else day)
            if day == self.booked:
                result[day, "booked"] += self.total
            if day == self.upgrade:
                result[day, "upgrade_cut"] += left - gone(left)
                is_upgraded = True
            for _, refunded in [refund for refund in self.refunds if refund[0] == day]:
                rest = self.total - refunded
                back, of_earned = left - rest, gone(left) - gone(rest)
                names = ("reversed", "of_cut" if is_upgraded else "refund_cut") if back > 0 else (
                    "earned_again", "again_of_cut" if is_upgraded else "deferred_again")
                result[day, names[0]] += abs(of_earned)
                result[day, names[1]] += abs(back - of_earned)
                left = rest
            if not is_upgraded:
                result[day, "recognised"] += self.earned(left, day + 1) - self.earned(left, day)
        return {key: value for key, value in result.items() if value}

    def by_period(self, world, scope, through):
        sums = defaultdict(lambda: defaultdict(Decimal))
        for (day, name), value in self.flows().items():
            if day <= through:
                sums[world.period(scope, day)[0]][name] += value
        return sums


def versions(world, scope, charge, amounts):
    """Schedules in the order in which they became known, each with its last complete day."""
    day = lambda text: day_of(text, world.zone(scope, charge)) - 1
    first = day(charge["known"])
    facts = charge["refunds"] + charge["extensions"] + charge["terms"] + ([charge["upgrade"]] if charge["upgrade"] else [])
    proofs = {day(at) for at, _ in amounts if at}
    found = []
    for known in sorted({first} | {turn for turn in {day(fact["known"]) for fact in facts} | proofs if turn > first}):
        steps = ([(known - 1, known, "true_up")] if known in proofs and known > first else []) + [(known, known, None)]
        for facts_known, amount_known, cause in steps:
            schedule = Schedule(world, scope, charge, amounts, facts_known, amount_known)
            if found and found[-1][1] == schedule:
                continue
            if cause is None and found:
                before = found[-1][1].refunds
                cause = "late_fact" if before == schedule.refunds else (
                    "reversal" if (schedule.refunds or [(0, 0)])[-1][1] < (before or [(0, 0)])[-1][1] else "refund")
            found.append((known, schedule, cause or "late_fact"))
    return found


def bookings(world, scope, charge, amounts):
    """What each period books: (period, entry, restated period, cause, flows)."""
    zone = world.zone(scope, charge)
    through = day_of(world.facts["clock"], zone) - 1
    begun = world.period(scope, day_of(world.facts["apps"][charge["app"]]["begun"], zone) - 1)[0]
    now = world.period(scope, through)[0]
    known = [(world.period(scope, day)[0], schedule, cause) for day, schedule, cause in versions(world, scope, charge, amounts)]
    known = [(-1 if number <= begun else number, schedule, cause) for number, schedule, cause in known]
    first = world.period(scope, day_of(charge["purchased"], zone))[0]
    for number in range(first, now + 1):
        standing = [schedule for at, schedule, _ in known if at <= number]
        if standing:
            flows = standing[-1].by_period(world, scope, through)[number]
            if any(flows.values()):
                yield number, "booking", None, None, flows
    for index, (number, schedule, cause) in enumerate(known):
        if number < 0:
            continue
        old = known[index - 1][1].by_period(world, scope, through) if index else {}
        new = schedule.by_period(world, scope, through)
        for restated in sorted({*old, *new}):
            before, after = dict(old.get(restated, {})), dict(new.get(restated, {}))
            if restated < number and before != after:
                if any(before.values()):
                    yield number, "reversal", restated, cause, {name: -value for name, value in before.items()}
                if any(after.values()):
                    yield number, "rebooking", restated, cause, after


def deferred(flow):
    get = lambda name: flow.get(name, Decimal(0))
    return get("booked") - get("recognised") - get("refund_cut") + get("deferred_again") - get("upgrade_cut")


def revenue(world):
    """The table of revenue: figures by scope, period, restated period, cause, currency and metric."""
    sums = defaultdict(lambda: defaultdict(lambda: defaultdict(Decimal)))
    for charge in world.facts["charges"]:
        amounts = world.amounts(charge)
        for scope in ("calendar", "fiscal"):
            for basis in BASES:
                for number, _, restated, cause, flows in bookings(world, scope, charge, amounts[basis]):
                    for name, value in flows.items():
                        sums[scope, charge["currency"], number, restated, cause][basis][name] += value
    table, balances = {}, defaultdict(lambda: defaultdict(Decimal))
    newest = {scope: max(key[2] for key in sums if key[0] == scope) for scope in ("calendar", "fiscal")}
    for key, bases in sums.items():
        scope, currency, number, restated, cause = key
        place = (scope, world.name(scope, number), world.name(scope, restated) if restated is not None else "", cause or "", currency)
        get = lambda basis, name: bases[basis].get(name, Decimal(0))
        for basis in BASES:
            figures = {
                "booked": get(basis, "booked"), "recognised": get(basis, "recognised"),
                "refunded": get(basis, "reversed") - get(basis, "earned_again"),
                "cut": get(basis, "refund_cut") - get(basis, "deferred_again") + get(basis, "upgrade_cut")}
            figures["revenue"] = figures["recognised"] - figures["refunded"]
            for metric, value in figures.items():
                table.setdefault(place + (metric,), {})[basis] = value
            for later in range(number, newest[scope] + 1):
                balances[scope, currency, later][basis] += deferred(bases[basis])
    for (scope, currency, number), bases in balances.items():
        for metric, at in (("closing", number), ("opening", number + 1)):
            if at <= newest[scope]:
                table[scope, world.name(scope, at), "", "", currency, metric] = {basis: bases[basis] for basis in BASES}
    return {key: value for key, value in table.items() if any(value.values())}


# Account and sign of revenue R, proceeds P and commission C by event: as the table on the page.
POSTINGS = {
    "booked": ("sale", [("receivable", "P", 1), ("deferred_commission", "C", 1), ("deferred_revenue", "R", -1)]),
    "deferred_again": ("deferred_again", [("receivable", "P", 1), ("deferred_commission", "C", 1), ("deferred_revenue", "R", -1)]),
    "recognised": ("recognition", [("deferred_revenue", "R", 1), ("commission", "C", 1), ("revenue", "R", -1), ("deferred_commission", "C", -1)]),
    "reversed": ("refund", [("refunds", "R", 1), ("receivable", "P", -1), ("commission", "C", -1)]),
    "refund_cut": ("refund_of_deferred", [("deferred_revenue", "R", 1), ("receivable", "P", -1), ("deferred_commission", "C", -1)]),
    "upgrade_cut": ("upgrade", [("deferred_revenue", "R", 1), ("receivable", "P", -1), ("deferred_commission", "C", -1)]),
    "earned_again": ("refund_reversal", [("receivable", "P", 1), ("commission", "C", 1), ("refunds", "R", -1)]),
}


def journal(world):
    """Lines of the period by what they book, and balances by currency and account."""
    lines, balances = defaultdict(Decimal), defaultdict(lambda: [Decimal(0), Decimal(0)])
    period = world.facts["period"]
    for charge in world.facts["charges"]:
        policy, amounts = world.facts["apps"][charge["app"]]["policy"], world.amounts(charge)
        own = "net_of_tax" if policy == "principal" else "proceeds"
        for basis, shares in ((own, {"R": 1, "C": 1}), ("proceeds", {"P": 1, "C": -1})):
            for number, entry, restated, cause, flows in bookings(world, "fiscal", charge, amounts[basis]):
                name = world.name("fiscal", number)
                for flow, value in flows.items():
                    event, postings = POSTINGS.get(flow, (None, []))
                    for account, part, sign in postings:
                        amount = value * sign * shares.get(part, 0)
                        if name <= period:
                            balances[charge["currency"], account][name == period] += amount
                        if name == period:
                            lines[entry, event, world.name("fiscal", restated) if restated is not None else "", cause or "", charge["app"],
                                  charge["storefront"], charge["product"], charge["currency"], account] += amount
    return {key: value for key, value in lines.items() if value}, balances


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def money(row, column):
    return Decimal(row[column] or "0") / 1000


def compare(name, expected, reported):
    wrong = [key for key in {*expected, *reported} if expected.get(key) != reported.get(key)]
    print(f"{name:<14} {len(expected):>6} figures, {len(wrong)} differ")
    for key in sorted(wrong, key=str)[:SHOWN_MAX]:
        print(f"  {key}: computed {expected.get(key)}, reported {reported.get(key)}")
    return not wrong and bool(expected)


def base_currency(world, path):
    """Whether the base amounts of each currency, corrected period and side add up to their amounts at the rate."""
    sums, totals = defaultdict(Decimal), defaultdict(Decimal)
    for row in rows(path):
        sides = [money(row, "base_debit_milliunits"), money(row, "base_credit_milliunits")]
        totals[row["currency"]] += sides[0] - sides[1]
        if row["entry"] != "revaluation":
            side = 0 if money(row, "debit_milliunits") else 1
            key = row["currency"], row["restates_period"], side
            sums[key] += sides[side]
            sums[key + ("own", row["fx_rate"])] += money(row, "debit_milliunits") + money(row, "credit_milliunits")
    unit = unit_of(world.facts["base_currency"])
    expected = {key[:3]: rounded(value * Decimal(key[4]), unit) for key, value in sums.items() if len(key) == 5}
    is_right = compare("base currency", expected, {key: value for key, value in sums.items() if len(key) == 3})
    return is_right and not any(totals.values())


def main(facts, revenue_path, journal_path, trial_path):
    world = World(json.load(open(facts, encoding="utf-8")))
    table = {}
    for row in rows(revenue_path):
        key = tuple(row[name] for name in ("scope", "period", "restates_period", "cause", "currency", "metric"))
        figures = {basis: money(row, f"{basis}_milliunits") for basis in BASES}
        if figures["gross"] - money(row, "tax_milliunits") != figures["net_of_tax"]:
            print(f"  {key}: tax does not add up")
            figures["gross"] = None
        if figures["net_of_tax"] - money(row, "commission_milliunits") != figures["proceeds"]:
            print(f"  {key}: commission does not add up")
            figures["proceeds"] = None
        table[key] = figures
    lines, balances = journal(world)
    names = ("entry", "event", "restates_period", "cause", "bundle_id", "storefront", "product_id", "currency", "account")
    reported = {tuple(row[name] for name in names): money(row, "amount_milliunits") for row in rows(journal_path)
                if row["entry"] != "revaluation"}
    trial = {(row["currency"], row["account"]): (money(row, "opening_milliunits"), money(row, "closing_milliunits"))
             for row in rows(trial_path)}
    expected = {key: (before, before + moved) for key, (before, moved) in balances.items() if before or moved}
    trial = {key: both for key, both in trial.items() if any(both)}
    results = [compare("revenue", revenue(world), table), compare("journal", lines, reported),
               compare("trial balance", expected, trial), base_currency(world, journal_path)]
    return all(results)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(re.search(r"usage: .*", __doc__).group(0))
    sys.exit(0 if main(*sys.argv[1:]) else 1)
