"""The answer of the documents about a world: charges, matches, breaks and subscriptions as of one night.

Written from the description of the product and of Apple's domain alone, as plain as possible, and slow.
Where the documents decide, the answer is one value. Where they leave room, the answer names every value they allow:

    rung     a set of rungs for a match (M0: two people decided it, see decisions.py)
    Expected a set of break classes, of which one must be open (`must`), or any may be open (not `must`)
    status   a set of words for a subscription

Nothing here may be bent to agree with the program; a difference is settled by the documents.
"""

import collections
import itertools
from dataclasses import dataclass, field

import decisions
from world import (CONSUMABLE, DAY, HOUR, MINUTE, PRODUCTS, RENEWING, TYPE_NAME, price_of, STOREFRONT)

GRACE = 24 * HOUR
WINDOW = 24 * HOUR
ASK_TO_BUY = 14 * DAY
SKEW = 5 * MINUTE
LATE = 7 * DAY
MARGIN = 2 * HOUR          # nearer than this to a limit the documents' choice of base instant decides: both answers pass
RETRIED = 60 * DAY
# Fields of a renewal info that are about the period bought last; the others are about the subscription.
OF_ONE_PERIOD = {"expirationIntent", "isInBillingRetryPeriod", "gracePeriodExpiresDate", "renewalDate"}
MAX_AGE = 30 * HOUR
STORM = 10                 # fewer than these are no storm by anybody's measure
KIND = {name: kind for kind, name in TYPE_NAME.items()}
BOOKED = ("paid", "delivered", "refunded", "revoked")       # money was booked at some time
LIVE = ("paid", "delivered")


# --- evidence -------------------------------------------------------------------------------------------------------

def verdict(world, item, k):
    """The verdict on an item as of night k. Genuine stays genuine; all else is re-evaluated each night. "Evidence signed after the run's
    clock is held until the clock passes it."""
    if item["form"] == "garbage":
        return "malformed"
    if item["form"] == "verify":
        return "pending"
    if item["form"] == "answer":             # "or Apple's server said so over TLS"
        return "genuine"
    root = "receipts.cer" if item["form"] == "receipt" else "jws.cer"
    last = None
    for j in range(item["night"], k + 1):
        settings = world["settings"][j]
        if item["signer"] != "apple" or root not in settings["roots"]:
            last = "forged"
        elif item["bundle_id"] not in settings["apps"] or item["environment"] not in ("Production", "Sandbox"):
            last = "foreign"
        elif item["signed"] > world["nights"][j]:
            last = "pending"
        else:
            return "genuine"
    return last


def _status(item):
    """The status that an item states; if none, "DID_FAIL_TO_RENEW GRACE_PERIOD -> Grace(4)", "GRACE_PERIOD_EXPIRED -> Billing retry(3)",
    "EXPIRED -> Expired(2)"."""
    by_type = {"GRACE_PERIOD_EXPIRED": 3, "EXPIRED": 2, "DID_FAIL_TO_RENEW": 4 if item.get("subtype") == "GRACE_PERIOD" else None}
    return item.get("status") or by_type.get(item.get("type"))


@dataclass
class Statement:
    """One observation of one transaction: who said it, when it was signed, what it can carry."""
    item: dict
    tx: dict
    signed: int
    receipt: bool


def observe(item):
    for tx in item["txs"]:
        if item["form"] not in ("receipt", "answer"):
            yield Statement(item, tx, item["signed"], False)
            continue
        names = ["transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId", "productId",
                 "purchaseDate", "originalPurchaseDate", "expiresDate", "quantity", "type", "environment"]
        if item["form"] == "answer":         # verifyReceipt says more than the receipt it is asked about
            names += ["appAccountToken", "inAppOwnershipType", "isUpgraded", "offerDiscountType"]
        seen = {name: tx[name] for name in names if name in tx}
        if "revocationDate" in tx and KIND[tx["type"]] != CONSUMABLE:
            seen["revocationDate"] = tx["revocationDate"]
        yield Statement(item, seen, item["signed"], True)


# --- charges --------------------------------------------------------------------------------------------------------

@dataclass(eq=False)
class Charge:
    statements: list
    conflict: bool = False
    facts: dict = field(default_factory=dict)

    def __getattr__(self, name):
        try:
            return self.facts[name]
        except KeyError:
            raise AttributeError(name)

    @property
    def label(self):
        return min(self.tids)


def _key(tx):
    base = (tx["environment"], tx["bundleId"], tx["originalTransactionId"])
    if KIND[tx["type"]] != RENEWING:
        return base
    line = tx.get("webOrderLineItemId") or (tx["productId"], tx["purchaseDate"])
    if tx.get("webOrderLineItemId"):
        line = (line, tx["productId"], tx["purchaseDate"])       # another product or instant: ID_CONFLICT, never merged
    if tx["environment"] != "Production":
        return base + (line, tx["purchaseDate"])
    return base + (line,)


def build_charges(statements):
    groups = {}                                  # union of observations by key and by transaction id

    def find(x):
        while groups[x] != x:
            x = groups[x]
        return x

    for t in statements:
        one, two = ("key",) + _key(t.tx), ("tid", t.tx["environment"], t.tx["bundleId"], t.tx["transactionId"])
        groups.setdefault(one, one), groups.setdefault(two, two)
        groups[find(one)] = find(two)
    sets = collections.defaultdict(list)
    for t in statements:
        sets[find(("key",) + _key(t.tx))].append(t)
    charges = [Charge(v) for v in sets.values()]
    for c in charges:
        _derive_facts(c)
    lines = collections.defaultdict(list)
    for c in charges:
        if c.environment == "Production" and c.line and c.ownership == "PURCHASED":
            lines[c.bundle, c.line].append(c)
    for same in lines.values():
        if len(same) > 1:
            for c in same:
                c.conflict = True
                c.facts["rivals"] = [d.label for d in same]
    return sorted(charges, key=lambda c: (c.bought, c.label))


def _derive_facts(c):
    """The facts of a charge from the set of its observations: a field that one lacks and another has is kept; of two, the
    newer signed one counts."""
    ordered = sorted(c.statements, key=lambda t: (not t.receipt, t.signed))          # receipts first, newest signed payload last
    merged = {}
    for t in ordered:
        merged.update(t.tx)
    first = min(t.tx["purchaseDate"] for t in c.statements)
    f = c.facts
    f["tids"] = {t.tx["transactionId"] for t in c.statements}
    f["environment"], f["bundle"], f["product"] = merged["environment"], merged["bundleId"], merged["productId"]
    f["kind"] = KIND[merged["type"]]
    f["otid"], f["line"] = merged["originalTransactionId"], merged.get("webOrderLineItemId")
    f["bought"] = min(first, merged["originalPurchaseDate"]) if f["kind"] != RENEWING else first
    f["expires"] = merged.get("expiresDate")
    f["quantity"], f["price"], f["currency"] = merged["quantity"], merged.get("price"), merged.get("currency")
    if f["price"] is None and merged.get("offerDiscountType") == "FREE_TRIAL":
        f["price"] = 0                       # "A FREE_TRIAL without price is 0"
    f["storefront"], f["token"] = merged.get("storefront"), merged.get("appAccountToken")
    f["ownership"] = merged.get("inAppOwnershipType", "PURCHASED")
    f["reason"] = merged.get("transactionReason")
    f["offer"] = merged.get("offerType")
    f["upgraded"] = bool(merged.get("isUpgraded"))
    f["renewal"] = f["kind"] == RENEWING and f["otid"] not in f["tids"]
    f["rivals"] = []
    _derive_revocation(c, [t for t in ordered if not t.receipt])
    if f["ownership"] == "FAMILY_SHARED":
        f["state"] = "family"
    elif f["price"] == 0:
        f["state"] = "free"
    elif f["revoked"] is not None:
        f["state"] = "partly_refunded" if f["partly"] else "refunded"
    else:
        f["state"] = "charged"
    f["refunded"] = _refunded(f) if f["state"] in ("refunded", "partly_refunded") else 0


def _derive_revocation(c, signed):
    """The revocation of a charge and its reversal. `signed`: its signed payloads, the newest last. A receipt can state a revocation but
    not its end; only a newer signed transaction can."""
    f = c.facts
    stated = [t for t in c.statements if "revocationDate" in t.tx]
    newest = signed[-1] if signed else None
    by_receipt = [t for t in stated if t.receipt and (newest is None or t.signed > newest.signed)]
    counts = newest.tx if newest is not None and "revocationDate" in newest.tx else by_receipt[-1].tx if by_receipt else None
    f["revoked"] = counts["revocationDate"] if counts else None
    # A revocation that is reported again with another instant is the same one: grace counts from the first since the last reversal.
    reversed_at = max((t.signed for t in signed if "revocationDate" not in t.tx), default=None)
    f["first_revoked"] = min((t.tx["revocationDate"] for t in stated if reversed_at is None or t.signed >= reversed_at), default=f["revoked"])
    f["percentage"] = counts.get("revocationPercentage") if counts else None
    if counts and f["percentage"] is None:
        for t in signed:
            if t.tx.get("revocationDate") == f["revoked"] and "revocationPercentage" in t.tx:
                f["percentage"] = t.tx["revocationPercentage"]
    f["partly"] = f["revoked"] is not None and f["percentage"] is not None and f["percentage"] < 100000
    f["reversed"] = None
    if counts is None and stated:
        last = max(t.signed for t in stated)
        f["reversed"] = min(t.signed for t in signed if t.signed > last and "revocationDate" not in t.tx)


def _refunded(f):
    """The refunded amount, rounded to the smallest unit of its currency; None without a price."""
    if f["price"] is None:
        return None
    if not f["partly"]:
        return f["price"]
    unit = 1000 if f["currency"] == "JPY" else 10
    exact = f["price"] * f["percentage"]
    return (2 * exact + unit * 100000) // (2 * unit * 100000) * unit


# --- breaks ---------------------------------------------------------------------------------------------------------

@dataclass
class Expected:
    classes: set
    order: str = None            # None: any order or none
    charges: frozenset = None    # labels; None: any charge or none
    must: bool = True
    why: str = ""
    transactions: frozenset = None    # the break names no order, and one of these

    def covers(self, row):
        if self.transactions is not None and (row["order_id"] or row["transaction_id"] not in self.transactions):
            return False
        return (row["class"] in self.classes and (self.order is None or row["order_id"] == self.order)
                and (self.charges is None or not row["charge"] or row["charge"] in self.charges))


STAGES = ("created", "paid", "delivered", "cancelled", "refunded", "revoked")


def version_of(version, nights):
    """A version of an order, and what it weighs beside others: "the greatest updated_at wins", a row without one counts by the clock at
    which it was read; of one instant the row that names the latest instant, then the one further on (page Input files)."""
    row = version["row"]
    latest = max(row[n] for n in ("created_at", "paid_at", "delivered_at", "refunded_at") if row.get(n))
    said = row.get("updated_at")
    row = dict(row, updated_at=said or latest)
    return row, (said or nights[version["night"]], row["updated_at"], STAGES.index(row["status"]))


class Night:
    """The answer of the oracle as of night k."""

    def __init__(self, world, k, eliminate=False, denied=False, called_off=False, unknown=False):
        """Parameters select another reading where the documents allow two. `eliminate`: of "exactly one candidate in both directions", see
        match_by_elimination. `denied`: of an unmatch, see token_of. `called_off`: a cancelled order is no single candidate. `unknown`: a
        token without user or order excludes no order that carries another one."""
        self.eliminate, self.denied, self.called_off, self.unknown = eliminate, denied, called_off, unknown
        self.world, self.k, self.now = world, k, world["nights"][k]
        self.settings = world["settings"][k]
        self.items = [e for e in world["evidence"] if e["night"] <= k]
        self.verdicts = {e["id"]: verdict(world, e, k) for e in self.items}
        self.orders, counts = {}, {}
        for version in world["orders"]:
            if version["night"] <= k:
                row, weight = version_of(version, world["nights"])
                if weight > counts.get(row["order_id"], ()):
                    self.orders[row["order_id"]], counts[row["order_id"]] = row, weight
        self.holders = collections.defaultdict(set)          # token -> users that ever held it
        last = {}                                         # user -> the last night with its row; any row of that night makes a tester
        for u in world["users"]:
            if u["night"] <= k:
                last[u["row"]["user_id"]] = max(u["night"], last.get(u["row"]["user_id"], 0))
        self.testers = set(self.settings["testers"])
        for u in world["users"]:
            if u["night"] <= k:
                if u["row"]["app_account_token"]:
                    self.holders[u["row"]["app_account_token"].lower()].add(u["row"]["user_id"])
                if u["row"]["is_tester"] == "true" and u["night"] == last[u["row"]["user_id"]]:
                    self.testers.add(u["row"]["user_id"])
        self.carried = collections.defaultdict(set)       # token -> users of the orders that carry it
        self.carriers = collections.Counter()             # token -> number of the orders that carry it
        for o in self.orders.values():
            if o.get("app_account_token"):
                self.carried[o["app_account_token"].lower()].add(o["user_id"])
                self.carriers[o["app_account_token"].lower()] += 1
        statements = [t for e in self.items if self.verdicts[e["id"]] == "genuine" and not self.wrong_app(e) for t in observe(e)]
        self.charges = build_charges(statements)
        self.chains = collections.defaultdict(list)       # environment, bundle and original id -> the periods of a subscription
        for c in self.charges:
            if c.kind == RENEWING:
                self.chains[c.environment, c.bundle, c.otid].append(c)
        self.by_tid = collections.defaultdict(list)
        for c in self.charges:
            for tid in c.tids:
                self.by_tid[tid].append(c)
        self.shown = collections.defaultdict(list)        # the hash that an order carries, or the order of an upload -> charges
        for c in self.charges:
            for t in c.statements:
                if len(t.item["txs"]) == 1:               # of a list, none is named
                    self.shown["hash", t.item["id"]].append(c)
                    self.shown["upload", (t.item["wrap"] or {}).get("order_id")].append(c)
        self.decided()
        self.match()
        self.find_breaks()
        self.find_subscriptions()

    @staticmethod
    def wrong_app(item):
        """A notification that names another app's Apple id is not about our app."""
        from world import APPLE_ID
        return item["form"] == "notification" and item["environment"] == "Production" and item["apple_id"] != APPLE_ID[item["bundle_id"]]

    # --- owners

    def token_user(self, token):
        if not token:
            return None
        users = self.holders.get(token.lower()) or self.carried.get(token.lower()) or set()
        return next(iter(users)) if len(users) == 1 else None

    def per_order(self, token):
        """Whether only one order carries a token and no user holds it."""
        return token and token.lower() not in self.holders and self.carriers[token.lower()] == 1

    def chain(self, c):
        return self.chains.get((c.environment, c.bundle, c.otid), [])

    def chain_owner(self, c):
        """The owner of a subscription: the user of the earliest token, else of the earliest match."""
        if c.kind != RENEWING:
            return None
        chain = self.chain(c)
        for d in chain:
            if self.token_user(self.token_of(d)):
                return self.token_user(d.token)
        for d in chain:
            if d in self.matched:
                return self.orders[self.matched[d][0]]["user_id"]
        return self.owners.get((c.environment, c.bundle, c.otid))

    def users_of(self, c):
        """The known users that the token and the chain of a charge name; two of them contradict each other."""
        return {u for u in (self.token_user(self.token_of(c)), self.chain_owner(c)) if u}

    def readings(self):
        """The other answers that the documents allow: each combination of the readings that can matter here."""
        carts = any(o["status"] == "cancelled" for o in self.orders.values())
        strange = any(self.is_strange(c.token) for c in self.charges)
        room = [(False, True) if there else (False,) for there in (self.ambiguous, self.barred, carts, strange)]
        for which in itertools.product(*room):
            if any(which):
                yield Night(self.world, self.k, *which)

    # --- decisions of two people on an order and a charge

    def decided(self):
        """M0: forced pairs; excluded pairs; orders that are benign duplicates of a charge."""
        self.forced, self.barred, self.benign = {}, set(), {}
        for a in decisions.pairs(self.world, self.k):
            environment, bundle, tid = a["charge"]
            c = next((c for c in self.by_tid[tid] if (c.environment, c.bundle) == (environment, bundle)), None)
            if c is None or a["order"] not in self.orders:
                continue
            if a["act"] == "force":
                self.forced = {d: oid for d, oid in self.forced.items() if oid != a["order"]}
                self.forced[c] = a["order"]
            elif a["act"] == "unmatch":
                self.barred.add((a["order"], c))
            else:
                self.benign[a["order"]] = c

    def token_of(self, c):
        """The token of a charge. If two people unmatched the order that carries it, the documents leave open whether the token still
        names that order's user and excludes orders with another token; both readings pass."""
        if self.denied and c.token and c.token.lower() not in self.holders and any(
                d is c and (self.orders[oid].get("app_account_token") or "").lower() == c.token.lower() for oid, d in self.barred):
            return None
        return c.token

    def is_allowed(self, o, c):
        """Whether no decision excludes the pair."""
        return (o["order_id"], c) not in self.barred

    # --- claims

    def claims(self, o):
        """The charges an order names, with the rung: M1 by transaction, M3 by line item or original id, M5 by evidence."""
        found = []
        for c in self.charges:
            rung = None
            if not self.is_allowed(o, c):
                continue
            if o.get("transaction_id") in c.tids and not (self.names_chain(o) and self.chain_owner(c) in (None, o["user_id"])):
                rung = "M1"
            elif (o.get("web_order_line_item_id") and o["web_order_line_item_id"] == c.line) or (
                    o.get("original_transaction_id") == c.otid and c.kind != RENEWING):
                rung = "M3"
            elif any(t.item["id"] == o.get("evidence_of") or t.item["wrap"] and t.item["wrap"].get("order_id") == o["order_id"]
                     for t in c.statements):
                rung = "M5"
            if rung:
                found.append((rung, c))
        return found

    def refusal(self, o, c):
        """The class of a claim that is refused whatever other orders claim; None for a valid claim."""
        if o["bundle_id"] != c.bundle:
            return "BUNDLE_DIFF"
        if o["environment"] != c.environment:
            return "SANDBOX_IN_PROD" if o["environment"] == "Production" else "PROD_IN_SANDBOX"
        if o["product_id"] != c.product:
            return "PRODUCT_DIFF"
        if self.users_of(c) - {o["user_id"]}:
            return "USER_DIFF"
        if o["created_at"] - c.bought > LATE and not (c.renewal and c.reason != "PURCHASE" and self.chain_owner(c) == o["user_id"]):
            return "LATE_VERIFICATION"
        return None

    # --- the ladder

    def match(self):
        """Evaluates the ladder until the owners of chains that follow from matches are stable, because a lower rung may name the owner
        on which a higher one depends."""
        self.owners, self.naming = {}, set()
        for _ in range(5):
            self.evaluate_rungs()
            # A renewal whose own match on M6 alone names the owner is not M4: there the owner is known before.
            self.naming = {c for c, (_, rungs) in self.matched.items() if rungs == {"M6"} and c.kind == RENEWING
                           and c is next(d for d in self.chain(c) if d in self.matched)}
            owners = {}
            for c in self.charges:
                if c.kind == RENEWING and self.chain_owner(c):
                    owners[c.environment, c.bundle, c.otid] = self.chain_owner(c)
            if owners == self.owners:
                break
            self.owners = owners

    def evaluate_rungs(self):
        self.matched, self.order_of, self.refused = {}, {}, {}
        self.ambiguous = {}
        self.claimed = {o["order_id"]: self.claims(o) for o in self.orders.values()}
        for c, oid in self.forced.items():
            self.matched[c], self.order_of[oid] = (oid, {"M0"}), c
        for oid, c in self.benign.items():           # does not compete for another purchase
            self.refused[oid] = ("BENIGN", c)
        self.unproven, self.old_product = set(), {}
        for rung in ("M1", "M2", "M3", "M4", "M5", "M6"):
            if rung in ("M2", "M6"):
                self.unproven |= {o["order_id"] for o in self.orders.values() if self.claims_unproven(o, rung)}
            if rung == "M2":
                self.match_tokens()
                for oid, c in self.old_product.items():
                    if oid not in self.order_of:
                        self.refused.setdefault(oid, ("PRODUCT_DIFF", c))
            elif rung == "M4":
                self.match_chains()
            elif rung == "M6":
                self.match_candidates()
            else:
                self.match_claims(rung)
        self.refuse_against_chains()

    def refuse_against_chains(self):
        """Refuses open orders whose token leads to a purchase of another user's subscription: USER_DIFF."""
        for c in self.charges:
            if self.chain_owner(c) and c.token and c.ownership != "FAMILY_SHARED" and not self.matched.get(c, (None, set()))[1] & {"M0", "M1"}:
                for o in self.orders_of_token(c):
                    if o["user_id"] != self.chain_owner(c):
                        self.refused[o["order_id"]] = ("STRANGER", c)

    def orders_of_token(self, c):
        """The open orders that the charge's token leads to, of any user."""
        return [o for o in self.orders.values() if o["product_id"] == c.product and o["environment"] == c.environment
                and o["bundle_id"] == c.bundle and o["created_at"] <= c.bought + SKEW and self.open_order(o, c)
                and self.is_allowed(o, c) and self.carries(o, c) and self.of_this_period(o, c)]

    def claims_unproven(self, o, below):
        """Whether the order claims evidence that is forged or foreign: by its transaction on M1, by its hash or upload on M5. Such a
        claim is refused, and no genuine charge is this order's on the rungs below."""
        for e in self.items:
            if self.verdicts[e["id"]] not in ("forged", "foreign"):
                continue
            named = any(tx["transactionId"] == o.get("transaction_id") for tx in e["txs"]) and not self.by_tid.get(o.get("transaction_id"))
            if self.tied(e, o) and named or below == "M6" and (self.tied(e, o) or o.get("evidence_of") == e["id"]):
                return True
        return False

    def open_order(self, o, c=None):
        """Whether the order has neither a match nor a refused claim. A token that it alone carries leads to it in spite of unproven
        evidence."""
        if o["order_id"] in self.order_of or o["order_id"] in self.refused:
            return False
        return o["order_id"] not in self.unproven or bool(
            c is not None and self.per_order(c.token) and (o.get("app_account_token") or "").lower() == c.token.lower())

    def assign(self, o, c, rungs):
        rungs = set(rungs)
        if rungs & {"M3", "M4", "M5", "M6"} and c.token and not o.get("app_account_token") and self.token_user(c.token) == o["user_id"] \
                and o["created_at"] <= c.bought + SKEW:
            rungs.add("M2")          # whether an order "carries" the token of its user when its own column is empty is not said
        self.matched[c] = (o["order_id"], rungs)
        self.order_of[o["order_id"]] = c

    def match_claims(self, rung):
        for c in self.charges:                                       # earliest purchase first: it may name the owner of the later periods
            rivals = [o for o in self.orders.values() if (rung, c) in self.claimed[o["order_id"]] and o["order_id"] not in self.order_of]
            fit = []
            for o in rivals:
                if o["order_id"] in self.refused:
                    continue
                why = self.refusal(o, c)
                if why == "USER_DIFF" and c.renewal and self.chain_owner(c) == o["user_id"]:
                    continue                     # only the token of its period names another: the next rung, M4, knows the chain's owner
                if why == "PRODUCT_DIFF" and rung == "M1" and c.bought < o["created_at"] - SKEW:
                    self.old_product[o["order_id"]] = c          # its token may lead to another purchase
                elif why:
                    self.refused[o["order_id"]] = (why, c)
                else:
                    fit.append(o)
            fit.sort(key=lambda o: (-self.rank(o), o["created_at"], o["order_id"]))
            if c not in self.matched and fit:
                self.assign(fit.pop(0), c, {rung})
            for o in fit:
                self.refused[o["order_id"]] = ("TAKEN", c)

    def carries(self, o, c):
        """An order carries the token in its own column; or, its column empty, by its user (T01; 1.8 step 2), for a purchase, not
        for a renewal, on which Apple only repeats the token."""
        own = (o.get("app_account_token") or "").lower()
        if own:
            return own == c.token.lower()
        return self.token_user(c.token) == o["user_id"] and not (c.renewal and c.reason != "PURCHASE")

    def of_this_period(self, o, c):
        """Apple repeats a subscription's token on every period; the order of an earlier period is not for this one. An old id that was
        named for a new product says nothing of it."""
        return not self.of_earlier_period(o, c) and (not c.renewal or (c.reason == "PURCHASE" or o["created_at"] >= c.bought - DAY)
            and not self.names_another(o, c, names_period=o["order_id"] not in self.old_product))

    def of_earlier_period(self, o, c):
        """Whether the order was paid or delivered before a period was bought, and is for another period of that subscription or of the
        one that it names: M4, "a renewal order of that user for that period"."""
        settled = min((o[name] for name in ("paid_at", "delivered_at") if o.get(name)), default=o["created_at"])
        if c.kind != RENEWING or o["status"] == "created" or settled >= c.bought - SKEW:
            return False
        others = self.chain(c) + self.chains.get((o["environment"], o["bundle_id"], self.named_chain(o)), [])
        return any(d is not c and self.is_for_period(o, d) and self.is_allowed(o, d) for d in others)

    def names_chain(self, o):
        """"An order created for a later period that names only the subscription's first transaction names the chain, not the first
        period"; where the first period is not known, either."""
        tid = o.get("transaction_id")
        if not tid or o.get("web_order_line_item_id") or o.get("original_transaction_id") not in (None, "", tid):
            return False
        chain = self.chains.get((o["environment"], o["bundle_id"], tid), [])
        first = [c for c in chain if tid in c.tids]
        if not first:
            known = any(c.environment == o["environment"] and c.bundle == o["bundle_id"] for c in self.by_tid.get(tid, []))
            return bool(chain) and not known
        ends = [self.booked_from(c, self.of_product(chain, o["product_id"])) for c in self.of_product(chain, o["product_id"]) if c not in first] \
            + [c.expires for c in first if c.expires]
        return bool(ends) and o["created_at"] >= min(ends)

    def names_period(self, o):
        """Whether its transaction is of a period, or at least evidence shows it."""
        return bool(o.get("transaction_id") and not self.names_chain(o)
                    and (self.by_tid.get(o["transaction_id"]) or self.claims_unproven(o, "M6")))

    def names_another(self, o, c, names_period=True):
        """An order that names a line item or transaction of another period is not for this one; of an unknown transaction no period is
        known. One that names another subscription, by its first transaction too, is not for a period of this one."""
        return bool(names_period and self.names_period(o) and o["transaction_id"] not in c.tids
                    or o.get("web_order_line_item_id") and o["web_order_line_item_id"] != c.line
                    or self.named_chain(o) not in (None, c.otid))

    def named_chain(self, o):
        """The original id of the subscription that an order names."""
        if o.get("original_transaction_id") or not self.names_chain(o):
            return o.get("original_transaction_id")
        return o["transaction_id"] if self.by_tid.get(o["transaction_id"]) else None

    def shows_another(self, o, c):
        """Its evidence, by hash or by an upload for it, is of other renewals of the product: it names them. That of a first purchase names
        its subscription."""
        shown = [d for item in (("hash", o.get("evidence_of")), ("upload", o["order_id"])) for d in self.shown[item]
                 if d.kind == RENEWING and (d.environment, d.bundle, d.product) == (c.environment, c.bundle, c.product)]
        renewals = [d for d in shown if d.renewal]
        return c not in renewals if renewals else bool(shown) and c.otid not in {d.otid for d in shown}

    @staticmethod
    def rank(o):
        """"An order that was ever paid or delivered outranks carts and cancelled orders": 2, if it was not cancelled before it was
        delivered; 0 a cart. One that was paid and then cancelled is both: it goes before carts and after the others."""
        ever = o["status"] in BOOKED or o.get("paid_at") or o.get("delivered_at")
        if o["status"] == "cancelled" and not o.get("delivered_at"):
            return 1 if ever else 0
        return 2 if ever else 0

    @staticmethod
    def was_delivered(o):
        return o["status"] == "delivered" or bool(o.get("delivered_at"))

    def highest_ranked(self, orders):
        """The orders of the highest rank."""
        best = max((self.rank(o) for o in orders), default=0)
        return [o for o in orders if self.rank(o) == best]

    def follows_purchase(self, c):
        """Whether a family's copy carries the token of a paid purchase without an order: the purchase comes first."""
        def rivals(d):
            return (d.ownership != "FAMILY_SHARED" and d not in self.matched and (d.token or "").lower() == c.token.lower()
                    and (d.environment, d.bundle, d.product) == (c.environment, c.bundle, c.product))
        return c.ownership == "FAMILY_SHARED" and any(rivals(d) for d in self.charges)

    def token_orders(self, c):
        if not c.token or self.follows_purchase(c):
            return []
        owner = self.chain_owner(c)
        return self.highest_ranked([o for o in self.orders_of_token(c) if owner is None or o["user_id"] == owner])

    def match_tokens(self):
        ever_several = set()
        moved = True
        while moved:
            moved = False
            for c in self.charges:
                if c in self.matched:
                    continue
                found = self.token_orders(c)
                if len(found) > 1:
                    ever_several.add(c)
                if len(found) == 1:
                    self.assign(found[0], c, {"M2"} if found[0].get("app_account_token") and c not in ever_several else {"M2", "M6"})
                    moved = True
        for c in self.charges:                       # a token against the known owner of the chain: USER_DIFF
            if c not in self.matched and c.token and len(self.users_of(c)) > 1:
                for o in self.orders_of_token(c):
                    if o["user_id"] != self.chain_owner(c):
                        self.refused[o["order_id"]] = ("USER_DIFF", c)

    def match_chains(self):
        for c in self.charges:
            if c in self.matched or c in self.naming or not c.renewal or c.ownership == "FAMILY_SHARED":
                continue
            owner = self.chain_owner(c)
            if owner is None:
                continue
            found = [o for o in self.orders.values() if self.open_order(o) and self.books_renewal(o, c, owner) and self.is_allowed(o, c)]
            found = self.highest_ranked(found)
            found.sort(key=lambda o: (o["created_at"], o["order_id"]))
            if found:
                self.assign(found[0], c, {"M4"} | {rung for rung, d in self.claimed[found[0]["order_id"]] if d is c and len(self.users_of(c)) > 1})

    def books_renewal(self, o, c, owner):
        """Whether an order is of the owner of a subscription, for that period."""
        if o["user_id"] != owner or c.reason == "PURCHASE" and o["created_at"] > c.bought + LATE:      # long after a purchase is late
            return False
        return self.is_for_period(o, c)

    def is_for_period(self, o, c):
        """Whether an order of any user is for that period."""
        if o["environment"] != c.environment or o["bundle_id"] != c.bundle or o["product_id"] != c.product or self.shows_another(o, c):
            return False
        # An upgrade or a resubscription is ordered by the user before it (M2, M6), or booked after it.
        if c.renewal and c.reason == "PURCHASE" and o["created_at"] < c.bought:
            return False
        # Apple may renew long before the period ends: from then on an order is booked for the next one.
        chain = self.of_product(self.chain(c), c.product)
        end = min([c.expires or c.bought + DAY] + [self.booked_from(d, [c]) for d in chain if d.bought > c.bought])
        return not self.names_another(o, c) and self.booked_from(c, chain) <= o["created_at"] < end and not self.for_next_period(o, c)

    @staticmethod
    def of_product(chain, product):
        """The periods for which an order of the product can be: an upgrade to another product is no renewal."""
        return [c for c in chain if c.renewal or c.product == product]

    @staticmethod
    def booked_from(c, others):
        """The instant from which an order is booked for a charge: a day ahead, but nearer to it than to the purchase before it."""
        gaps = [(c.bought - d.bought) / 2 for d in others if d.bought < c.bought]
        return c.bought - min([DAY] + gaps)

    def booked_twice(self, o):
        """Whether an order without ids is for a period that is matched to another order of its user."""
        return any(c.kind == RENEWING and c.renewal and c.ownership != "FAMILY_SHARED"
                   and self.orders[oid]["user_id"] == o["user_id"] and self.was_delivered(self.orders[oid]) and self.was_delivered(o)
                   and self.chain_owner(c) == o["user_id"] and self.books_renewal(o, c, o["user_id"]) and self.is_allowed(o, c)
                   for c, (oid, _) in self.matched.items())

    def for_next_period(self, o, c):
        """Whether the order was booked on the last day of a period for access until about the end of the next one."""
        if self.names_period(o) or o.get("web_order_line_item_id") or not c.expires \
                or not o.get("entitlement_expires_at"):
            return False
        return o["created_at"] >= c.expires - DAY and o["entitlement_expires_at"] >= c.expires + (c.expires - c.bought) / 2

    def uploads(self, c):
        """The users and devices that uploaded evidence of a charge."""
        users, devices = set(), set()
        for t in c.statements:
            wrap = t.item["wrap"] or {}
            if wrap.get("user_id"):
                users.add(wrap["user_id"])
            if wrap.get("device_id"):
                devices.add(wrap["device_id"])
        return users, devices

    def candidates(self, c):
        if c.ownership == "FAMILY_SHARED":
            return []
        users = self.users_of(c)
        if len(users) > 1:
            return []
        if not users:
            users, devices = self.uploads(c)
            for d in devices:
                users |= {o["user_id"] for o in self.orders.values() if o.get("device_id") == d}
                users |= {e["wrap"]["user_id"] for e in self.items if e["wrap"] and e["wrap"].get("device_id") == d and e["wrap"].get("user_id")}
        found = [o for o in self.orders.values() if self.open_order(o) and o["user_id"] in users and o["environment"] == c.environment
                 and o["bundle_id"] == c.bundle and o["product_id"] == c.product and o["quantity"] == c.quantity
                 and self.opens(o, c) <= o["created_at"] <= c.bought + SKEW
                 and self.is_allowed(o, c) and not self.contradicts(o, c) and not (self.called_off and o["status"] == "cancelled" and not o.get("delivered_at"))
                 and not (c.renewal and (self.names_another(o, c) or self.shows_another(o, c) or self.for_next_period(o, c)))
                 and not self.of_earlier_period(o, c)]
        return self.highest_ranked(found)

    def opens(self, o, c):
        """The earliest instant of an order that bought a charge. Ask to Buy: the payment completes days after the order, which is paid and
        delivered only then. Nobody asks to renew; what is booked before a renewal's time is for the period before (M4)."""
        if c.renewal and c.reason != "PURCHASE":
            return self.booked_from(c, self.of_product(self.chain(c), c.product))
        settled = [at for at in (o.get("paid_at"), o.get("delivered_at")) if at]
        waited = min(settled) >= c.bought - SKEW if settled else o["status"] == "created"
        return c.bought - (ASK_TO_BUY if waited else WINDOW)

    def is_strange(self, token):
        """A token that no user holds and no order carries."""
        return bool(token) and not self.holders.get(token.lower()) and not self.carried.get(token.lower())

    def contradicts(self, o, c):
        """Whether an order carries another token than the charge: of another order, or not of the same user. Apple repeats the token of
        an earlier period."""
        if not self.token_of(c) or not o.get("app_account_token") or self.carries(o, c):
            return False
        if self.unknown and self.is_strange(c.token):
            return False
        repeats = any(d.bought < c.bought and (d.token or "").lower() == c.token.lower() for d in self.chain(c))
        return bool(self.per_order(c.token)) and not repeats or self.token_user(o["app_account_token"]) != self.token_user(c.token)

    def match_candidates(self):
        moved = True
        while moved:
            moved = False
            reach = {}
            for c in self.charges:
                if c in self.matched:
                    continue
                several = self.token_orders(c)
                reach[c] = [o for o in self.candidates(c) if not several or o in several]
            count = collections.Counter(o["order_id"] for found in reach.values() for o in found)
            for c, found in reach.items():
                if len(found) == 1 and count[found[0]["order_id"]] == 1:
                    self.assign(found[0], c, {"M6"})
                    moved = True
        if self.eliminate:
            for c, o in self.match_by_elimination(reach):
                self.assign(o, c, {"M6"})
                del reach[c]
        for c, found in reach.items():
            if found:
                self.ambiguous[c] = [o["order_id"] for o in found]
            elif len(self.token_orders(c)) > 1:
                self.ambiguous[c] = [o["order_id"] for o in self.token_orders(c)]

    @staticmethod
    def match_by_elimination(reach):
        """Two orders and two purchases within the hour: the first purchase came before the second order, so only one pairing
        remains, though the first order is a candidate for both. By the letter that is M7; as a deduction it is sound. Both
        readings pass. Takes groups of charges and orders in which every one finds its partner by elimination."""
        left = {c: {o["order_id"]: o for o in found} for c, found in reach.items() if found}
        pairs, groups = [], []
        for c in left:
            joined = [g for g in groups if g[1] & set(left[c])]
            groups = [g for g in groups if g not in joined] + [({c}.union(*(g[0] for g in joined)), set(left[c]).union(*(g[1] for g in joined)))]
        for charges, orders in groups:
            open_charges, open_orders, made = set(charges), set(orders), []
            while open_charges:
                one = next(((c, oid) for c in sorted(open_charges, key=lambda c: (c.bought, c.label)) for oid in left[c]
                            if oid in open_orders and (len([x for x in left[c] if x in open_orders]) == 1
                                                       or len([d for d in open_charges if oid in left[d]]) == 1)), None)
                if one is None:
                    break
                made.append((one[0], left[one[0]][one[1]]))
                open_charges.discard(one[0]), open_orders.discard(one[1])
            if not open_charges and not open_orders:
                pairs += made
        return pairs

    # --- differences

    def due(self, *bases):
        """After the grace time whatever the base (True), before it whatever the base (False), or in between (None)."""
        bases = [b for b in bases if b]
        if self.now >= max(bases) + GRACE + MARGIN:
            return True
        if self.now < min(bases) + GRACE - MARGIN:
            return False
        return None

    def expect(self, classes, order=None, charges=None, due=True, why="", pending=False):
        """due: True must, None may, False may not (inside the grace time; `pending`: it must be among the pending)."""
        if due is False and not pending:
            return
        labels = frozenset([charges]) if isinstance(charges, str) else frozenset(charges) if charges is not None else None
        made = Expected(set(classes) if not isinstance(classes, str) else {classes}, order, labels, due is True, why)
        (self.pending if due is False else self.expected).append(made)

    def is_history(self, instant, bundle):
        """Before the start date of its app: "older history explains chains and raises no TX_NO_ORDER"."""
        return instant < self.settings.get("starts", {}).get(bundle, 0)

    def soon(self, *bases):
        """For classes that need no grace time: they may be open at once, and must be after it."""
        return self.due(*bases) is True or None

    def allowed_sandbox(self, o):
        if o["user_id"] in self.testers:
            return True
        at = o.get("delivered_at") or o["created_at"]
        return any(o["user_id"] in w["users"] and w["from"] <= at <= w["to"] for w in self.settings["windows"])

    def tied(self, item, o):
        """Whether our own upload ties an item to an order: it names the order, or our user uploaded what the order names."""
        wrap = item["wrap"] or {}
        if wrap.get("source") != "client":
            return False
        if wrap.get("order_id") == o["order_id"]:
            return True
        return wrap.get("user_id") == o["user_id"] and bool(o.get("transaction_id")) and any(
            tx["transactionId"] == o["transaction_id"] for tx in item["txs"])

    def find_breaks(self):
        self.expected, self.pending = [], []
        maybe_orders = {oid for found in self.ambiguous.values() for oid in found}
        for o in self.orders.values():
            self.order_breaks(o, o["order_id"] in maybe_orders)
        for c in self.charges:
            self.charge_breaks(c)
        for c, (oid, _) in self.matched.items():
            self.pair_breaks(c, self.orders[oid])
        self.chain_breaks()
        self.input_breaks()
        for item in self.items:
            # Another app's item is a finding at once, also before the instant of its signature.
            if self.verdicts[item["id"]] in ("genuine", "pending") and self.wrong_app(item):
                self.expect("APP_ID_DIFF", why="the notification names another app's Apple id")
            if self.verdicts[item["id"]] == "forged":
                self.forged_upload(item)
            if self.verdicts[item["id"]] == "foreign" and item["bundle_id"] not in self.settings["apps"]:    # no order that named it is there yet
                names = frozenset(tx["transactionId"] for tx in item["txs"])
                self.expected.append(Expected({"BUNDLE_DIFF"}, must=False, why="of another app", transactions=names))

    # --- input quality

    def nothing_taken(self):
        """Whether no item of the last nights, five or more items, verifies."""
        count = 0
        for k in range(self.k, -1, -1):
            here = [self.verdicts[e["id"]] for e in self.items if e["night"] == k]
            if "genuine" in here:
                break
            count += len(here)
        return count >= 5

    def unnamed_apps(self):
        """The first paid or delivered order of each app that no setting names, by bundle id."""
        first = {}
        for o in self.orders.values():
            if o["environment"] == "Production" and o["status"] in LIVE and o["bundle_id"] not in self.settings["apps"]:
                settled = min((o[name] for name in ("paid_at", "delivered_at") if o.get(name)), default=o["created_at"])
                first[o["bundle_id"]] = min(first.get(o["bundle_id"], 1 << 62), max(o["created_at"], settled))
        return first

    def input_breaks(self):
        """Unknown values of Apple; late input; more forgeries than a threshold that the documents leave open."""
        words = set()
        for item in self.items:
            verdict, word = self.verdicts[item["id"]], item.get("strange")
            # An item of an environment that nobody knows is not ours, and names the environment.
            if word and (verdict == "genuine" and not self.wrong_app(item) or verdict == "foreign" and word == item["environment"]):
                words.add(word)
        for word in sorted(words):       # "one UNRECOGNIZED_VALUE per field and value"
            self.expect("UNRECOGNIZED_VALUE", why="a new word of Apple's: " + word)
        for bundle, booked in sorted(self.unnamed_apps().items()):
            due = self.due(booked)
            self.expect("UNRECOGNIZED_VALUE", due=due, why="orders of an app that no setting names: " + bundle, pending=due is False)
        late = [self.now - newest > MAX_AGE for newest in self.newest()]
        if any(late):
            self.expect("STALE_INPUT", why="no orders or no evidence for longer than 30 h")
        elif self.nothing_taken():
            self.expect("STALE_INPUT", due=None, why="of what came since a complete night nothing verifies")
        day = collections.Counter((e["night"], (e["wrap"] or {}).get("source")) for e in self.items if self.verdicts[e["id"]] != "genuine")
        if max(day.values(), default=0) >= STORM:
            self.expect("FORGED_STORM", due=None)
        heard = {e.get("uuid") for e in self.items if e["form"] == "notification"}
        for item in self.items:          # T25: Apple's list of failed notifications has one that never reached us
            if item["form"] == "missed" and self.verdicts[item["id"]] == "genuine" and not self.wrong_app(item):
                past = item["uuid"] in heard or self.is_history(item["signed"], item["bundle_id"])
                self.expect("MISSED_NOTIFICATION", due=None if past else self.soon(item["signed"]), why="reported by Apple's list alone")

    def newest(self):
        """"The newest updated_at of orders, the newest signature of Apple's, up to the clock of the night; a file read again, parked rows
        and forged evidence tell nothing. Once an order or evidence of Production was known at the clock, only what is of Production
        counts." (page Exit statuses, Fresh input)"""
        orders = [version_of(v, self.world["nights"])[0] for v in self.world["orders"] if v["night"] <= self.k]
        orders = [(o["updated_at"], o["environment"]) for o in orders if o["updated_at"] <= self.now]
        evidence = [(e["signed"], e["environment"]) for e in self.items
                    if self.verdicts[e["id"]] == "genuine" and e["signed"] <= self.now and not self.wrong_app(e)]
        is_live = any(environment == "Production" for _, environment in orders + evidence)
        for statements in (orders, evidence):
            yield max((at for at, environment in statements if environment == "Production" or not is_live), default=0)

    def forged_upload(self, item):
        """A forged upload of a known user without an order is a separate break, unless the user bought what it names."""
        wrap = item["wrap"] or {}
        if any(o.get("evidence_of") == item["id"] for o in self.orders.values()):     # whether an order's hash ties it is not said
            names = frozenset(tx["transactionId"] for tx in item["txs"])
            self.expected.append(Expected({"FORGED_SIGNATURE"}, must=False, why="an order names it by its hash", transactions=names))
        if wrap.get("source") != "client" or not (wrap.get("user_id") or wrap.get("order_id")):
            return
        names = frozenset(tx["transactionId"] for tx in item["txs"])
        bought = {tx for c, (oid, _) in self.matched.items() for tx in c.tids
                  if self.orders[oid]["user_id"] == wrap.get("user_id") or oid == wrap.get("order_id")}
        if names & bought:
            return
        tied = any(self.tied(item, o) for o in self.orders.values())
        must = not tied and item["night"] < self.k and bool(wrap.get("user_id"))
        self.expected.append(Expected({"FORGED_SIGNATURE"}, must=must, why="a forged upload of nobody's order", transactions=names))

    def order_breaks(self, o, candidate):
        """The breaks of one order: of the first of these reasons that applies. `candidate`: an ambiguous charge may be the order's."""
        oid, status = o["order_id"], o["status"]
        forged = [e for e in self.items if self.verdicts[e["id"]] == "forged" and self.tied(e, o)]
        foreign = [e for e in self.items if self.verdicts[e["id"]] == "foreign" and self.tied(e, o)]
        is_cart = status == "cancelled" and not o.get("paid_at") and not o.get("delivered_at")      # "abandoned carts: no break"
        if o["environment"] != "Production":
            self.sandbox_order_breaks(o, forged)
        elif oid in self.benign and oid not in self.order_of:
            if self.benign[oid] not in self.matched:     # a duplicate of nothing: whether it is a loss again is not said
                self.expect({"ORDER_NO_TX", "DUP_DELIVERY", "REPLAY_MULTI_USER"}, oid, due=None)
        elif oid in self.order_of:
            self.matched_order_breaks(o, forged or foreign)
        elif status in ("refunded", "revoked") or is_cart:    # "take the goods back": no claim is a difference then; a forgery stays as true
            if forged or self.verdicts.get(o.get("evidence_of")) == "forged":
                self.expect("FORGED_SIGNATURE", oid, due=None, why="our upload ties it")
            self.expect("REFUND_ONLY_OURS", oid, due=None)
        elif oid in self.refused:
            self.refused_order_breaks(o)
        elif not self.unproven_order_breaks(o, forged, foreign):
            self.open_order_breaks(o, candidate)

    def sandbox_order_breaks(self, o, forged):
        oid, is_live = o["order_id"], o["status"] in LIVE
        if forged:      # whatever environment the item says: nothing in it is proven
            self.expect("FORGED_SIGNATURE", oid, due=None, why="our upload ties it to a sandbox order")
        if oid in self.refused and self.refused[oid][0] == "PROD_IN_SANDBOX":
            self.expect("PROD_IN_SANDBOX", oid, self.refused[oid][1].label, self.soon(o["created_at"]) if is_live else None)
        self.expect({"ORDER_NO_TX", "PAID_NOT_DELIVERED", "RENEWAL_MISSING"}, oid, due=None, why="a sandbox order")

    def matched_order_breaks(self, o, unproven):
        oid = o["order_id"]
        for _, c in self.claimed[oid]:           # it names another charge than the one that two people gave it
            if self.forced.get(self.order_of[oid]) == oid and c is not self.order_of[oid]:
                self.expect({"REPLAY_MULTI_USER", "DUP_DELIVERY", "PRODUCT_DIFF", "USER_DIFF", "BUNDLE_DIFF", "LATE_VERIFICATION",
                             "SANDBOX_IN_PROD"}, oid, None, None)
        if unproven:
            self.expect({"FORGED_SIGNATURE", "BUNDLE_DIFF"}, oid, due=None)

    @staticmethod
    def due_bases(o):
        """The instants from which an order may be owed a charge: "order paid or delivered", from the first of the two on. Goods that go
        out later make no new day of it."""
        start = o["created_at"]
        return [start, min((o[name] for name in ("paid_at", "delivered_at") if o.get(name)), default=start)]

    def due_without_charge(self, o):
        """Due of an order without charge; None before the start date of its app."""
        bases = self.due_bases(o)
        return None if self.is_history(max(bases), o["bundle_id"]) else self.due(*bases)

    def refused_order_breaks(self, o):
        """An order whose claim was refused gets the class that says why."""
        oid, is_live = o["order_id"], o["status"] in LIVE
        why, c = self.refused[oid]
        if why == "SANDBOX_IN_PROD":
            if not self.allowed_sandbox(o):
                self.expect("SANDBOX_IN_PROD", oid, c.label, self.soon(o["created_at"]) if o["status"] == "delivered" else None)
            return
        due = self.soon(o["created_at"]) if is_live else None
        holder = self.orders[self.matched[c][0]] if c in self.matched else None
        is_own = holder is not None and holder["user_id"] == o["user_id"]
        if why == "TAKEN":
            classes = {"DUP_DELIVERY"} if is_own else {"REPLAY_MULTI_USER"}
            if is_own and self.rank(o) < 2:
                return                       # "an abandoned cart is no break"
            if is_own and not (self.was_delivered(o) and self.was_delivered(holder)):
                # "Both orders were delivered": else it is one without charge.
                classes = {"ORDER_NO_TX"} | ({"RENEWAL_MISSING"} if c.kind == RENEWING else set())
                due = self.due_without_charge(o) if is_live else None
        elif why == "USER_DIFF":
            users = {p["user_id"] for p in self.orders.values() if any(d is c for _, d in self.claimed[p["order_id"]])}
            users |= {holder["user_id"]} if holder else set()
            classes = {"REPLAY_MULTI_USER"} if users - {o["user_id"]} else {"USER_DIFF"}
            # An order of another user claimed it, until people took it from that order.
            if any(d is c and self.orders[p]["user_id"] != o["user_id"] for p, d in self.barred):
                classes |= {"REPLAY_MULTI_USER", "USER_DIFF"}
        else:
            classes = {"USER_DIFF"} if why == "STRANGER" else {why}     # a token names nothing: nobody quarrels about it
            if why in ("LATE_VERIFICATION", "PRODUCT_DIFF") and holder is not None:
                classes |= {"DUP_DELIVERY"} if is_own else {"REPLAY_MULTI_USER"}
        if why in ("TAKEN", "USER_DIFF") and o["created_at"] - c.bought > LATE:
            classes.add("LATE_VERIFICATION")
        self.expect(classes, oid, None, due, "claim refused: " + why)

    def unproven_order_breaks(self, o, forged, foreign):
        """The breaks of an order without charge whose token leads to the sandbox, or to which our upload ties unproven evidence.
        Returns whether they are all of the order's."""
        oid, status, start, is_live = o["order_id"], o["status"], o["created_at"], o["status"] in LIVE
        token_leak = [c for c in self.charges if c.environment != "Production" and c.token and o.get("app_account_token")
                      and self.per_order(o["app_account_token"]) and c.token.lower() == o["app_account_token"].lower()]
        if token_leak and status == "delivered":
            if not self.allowed_sandbox(o):
                self.expect({"SANDBOX_IN_PROD", "ORDER_NO_TX"}, oid, None, self.soon(start), "sandbox by token")
            return True
        if forged and is_live:
            classes = {"FORGED_SIGNATURE"}
            if any(other == oid for other, _ in self.barred):        # its own charge is genuine, two people took it away: both are true
                classes.add("ORDER_NO_TX")
            self.expect(classes, oid, None, self.soon(start), "our upload ties it")
            return True
        if forged:           # it failed of old: that the evidence is not genuine is as true
            self.expect("FORGED_SIGNATURE", oid, due=None, why="our upload ties it")
        if not foreign or not is_live:
            return False
        if not all(e["bundle_id"] in self.settings["apps"] for e in foreign):
            self.expect("BUNDLE_DIFF", oid, None, self.soon(start), "of another app")
        elif not self.allowed_sandbox(o):            # "transaction not of Production behind a live delivery"
            why = "SANDBOX_IN_PROD" if status == "delivered" else "ORDER_NO_TX"
            self.expect(why, oid, due=self.soon(start), why="of an environment that nobody knows")
        return True

    def open_order_breaks(self, o, candidate):
        """The breaks of an order that has neither charge nor refused claim."""
        oid, start, is_live = o["order_id"], o["created_at"], o["status"] in LIVE
        # "Cancelled before anything was paid or delivered, no break": the goods of one that was delivered first are gone.
        is_owed = is_live or self.was_delivered(o)
        strange = self.of_a_strange_subscription(o) if is_owed else set()
        if candidate and not strange:
            self.expect({"ORDER_NO_TX", "AMBIGUOUS_MATCH"}, oid, due=None, why="candidate of an ambiguity")
            return
        named = self.verdicts.get(o.get("evidence_of"))
        if is_live and named in ("forged", "foreign"):      # the order itself carries its hash: whether that is an "upload" is not said
            why = "FORGED_SIGNATURE" if named == "forged" else "BUNDLE_DIFF"
            self.expect({"ORDER_NO_TX", why}, oid, None, self.soon(*self.due_bases(o)))
            return
        if not is_owed or o["bundle_id"] not in self.settings["apps"]:
            return                                       # an app that no setting names is the finding: input_breaks
        if strange:
            self.expect(strange, oid, None, self.soon(start) if is_live else None, "it names another user's subscription")
            return
        if self.booked_twice(o):
            self.expect("DUP_DELIVERY", oid, None, self.soon(start), "the period is booked already")
            return
        classes = {"ORDER_NO_TX"}
        if any(other == oid and c in self.matched for other, c in self.barred):      # it may still be reported as a claim
            classes |= {"DUP_DELIVERY", "REPLAY_MULTI_USER"}
        if PRODUCTS[o["product_id"]][0] == RENEWING:
            classes.add("RENEWAL_MISSING")
        due = self.due_without_charge(o)
        self.expect(classes, oid, None, due, "no charge", pending=due is not None)

    def of_a_strange_subscription(self, o):
        """The classes of an order that names a subscription of another known user by its original id: REPLAY_MULTI_USER where another
        user's order has or claims the charge of that time, else USER_DIFF ("never against the known owner of the chain")."""
        chain = self.chains.get((o["environment"], o["bundle_id"], o.get("original_transaction_id")), [])
        owner = self.chain_owner(chain[0]) if chain else None
        if owner is None or owner == o["user_id"]:
            return set()
        found = set()
        for c in chain:
            ends = [c.expires] + [self.booked_from(d, [c]) for d in self.of_product(chain, c.product) if d.bought > c.bought]
            if self.booked_from(c, self.of_product(chain, c.product)) <= o["created_at"] < min(e for e in ends if e):
                oid = self.matched[c][0] if c in self.matched else None
                rivals = {oid} if oid else {p for p, named in self.claimed.items() if any(d is c for _, d in named)}
                others = {self.orders[p]["user_id"] for p in rivals} - {o["user_id"]}
                found.add("REPLAY_MULTI_USER" if others and not self.names_another(o, c) else "USER_DIFF")
        return found or {"USER_DIFF"}

    @staticmethod
    def is_unshareable(c):
        """Whether the catalogue does not allow the family access of a charge: no access is too short then."""
        return c.ownership == "FAMILY_SHARED" and not PRODUCTS[c.product][5]

    def charge_breaks(self, c):
        label = c.label
        if c.environment == "Production" and self.is_unshareable(c) and c.revoked is None:
            self.expect("FAMILY_NOT_SHAREABLE", None, label, self.soon(c.bought))
        if c.conflict:
            self.expect("ID_CONFLICT", None, c.rivals, self.soon(c.bought))
        if c.kind == CONSUMABLE and c.environment == "Production" and c.tids - {c.otid}:     # 1.6, 2: abnormal; an alias all the same
            self.expect("ID_CONFLICT", None, label, self.soon(c.bought), "a consumable under another transaction id")
        if c.environment != "Production":
            return
        if c.price is not None and c.currency and c.state not in ("family",):
            listed = price_of(c.product, c.currency) * c.quantity if c.storefront == STOREFRONT[c.currency][0] else None
            if listed is not None and listed != c.price:
                self.expect("PRICE_OFF_CATALOG", None, label,
                            self.soon(c.bought) if not c.offer and not self.is_history(c.bought, c.bundle) else None)
        if c in self.matched or c.state in ("family", "free"):
            return
        first = self.double_payment(c)
        own = [oid for oid in self.forced.values() if self.per_order(c.token) and self.carries(self.orders[oid], c)]
        if c in self.ambiguous:
            self.expect("AMBIGUOUS_MATCH", None, label, self.soon(c.bought), "candidates: " + " ".join(self.ambiguous[c]))
            if not self.is_history(c.bought, c.bundle):
                self.expect({"TX_NO_ORDER", "RENEWAL_NO_ORDER"}, None, label, None)
        else:
            classes = {"TX_NO_ORDER"}
            if c.renewal and c.reason == "RENEWAL" and self.chain_owner(c):
                classes = {"RENEWAL_NO_ORDER"}
            elif c.renewal:
                classes = {"TX_NO_ORDER", "RENEWAL_NO_ORDER"}
            named, plainly = self.second_payment(c)
            if own or named:          # its order has another charge: that this one is a second payment of it is as true
                classes.add("DUP_CHARGE")
            soft = c.revoked is not None and not c.partly or first or c.conflict
            if plainly and not soft:
                self.expect("DUP_CHARGE", named[0] if len(named) == 1 else None, label, self.soon(c.bought), "its order has another charge")
            elif self.is_history(c.bought, c.bundle):        # both renewals and purchases of then need no order
                if "DUP_CHARGE" in classes:
                    self.expect("DUP_CHARGE", None, label, None)
            else:
                due = self.due(c.bought)
                self.expect(classes, None, label, None if soft and due else due, "no order", pending=not soft)
        if first:
            self.expect("DUP_CHARGE", first, label, self.soon(c.bought), "the order was paid already")
        if c.revoked is not None:
            due = self.due(c.first_revoked)          # while several orders may have bought it, that none knows it is not known
            # Whether a refund of now is history with the purchase is not said.
            if self.is_history(c.bought, c.bundle) and due:
                due = None
            self.expect("REFUND_NO_ORDER", None, label, None if c.partly and due or c in self.ambiguous else due)

    def second_payment(self, c):
        """The orders that name a charge, with nothing against it, and have another: two charges paid them (DUP_CHARGE). Plainly where
        one names it by its ids, and it is no renewal. Evidence that lists several purchases names none."""
        found = [(oid, rung) for oid, named in self.claimed.items() for rung, d in named
                 if d is c and (rung != "M5" or c in self.shown["hash", self.orders[oid].get("evidence_of")] + self.shown["upload", oid])
                 and self.order_of.get(oid) is not None and self.order_of[oid].state != "family"
                 and self.refusal(self.orders[oid], c) is None]
        plainly = c.kind != RENEWING and any(rung in ("M1", "M3") for _, rung in found)
        return sorted({oid for oid, _ in found}), plainly

    def double_payment(self, c):
        """The order that another charge with its own token has paid already; what people said did not pay it did not pay it twice.
        A purchase before the order existed was not its payment."""
        if c.kind == RENEWING or not self.per_order(c.token):
            return None
        parted = {oid for oid, d in self.barred if d is c}
        for o in self.orders.values():
            if o["order_id"] in parted or o["created_at"] > c.bought + SKEW:
                continue
            if (o.get("app_account_token") or "").lower() == c.token.lower() and o["product_id"] == c.product \
                    and o["order_id"] in self.order_of and self.order_of[o["order_id"]].token == c.token:
                return o["order_id"]
        return None

    def pair_breaks(self, c, o):
        oid, label = o["order_id"], c.label
        if c.environment != "Production":
            self.expect({"PAID_NOT_DELIVERED", "AMOUNT_DIFF", "QUANTITY_DIFF", "CURRENCY_DIFF"}, oid, label, None)
            return
        price = o.get("price_milliunits")
        if self.forced.get(c) == oid and self.users_of(c) - {o["user_id"]}:      # whether two people settle that as well is not said
            self.expect("USER_DIFF", oid, label, None)
        if c.state == "family":
            cart = o["status"] in ("created", "cancelled") and not o.get("paid_at") and not o.get("delivered_at")
            if price and not cart:
                self.expect("AMOUNT_DIFF", oid, label, self.soon(c.bought), "money on family access")
        elif o["product_id"] != c.product:                         # forced: "matched or claimed, but the sides disagree"
            self.expect({"PRODUCT_DIFF", "AMOUNT_DIFF"}, oid, label, self.soon(c.bought))
            self.expect({"PRODUCT_DIFF", "AMOUNT_DIFF", "QUANTITY_DIFF", "CURRENCY_DIFF"}, oid, label, None)
        elif o["quantity"] != c.quantity:
            self.expect("QUANTITY_DIFF", oid, label, self.soon(c.bought))
            self.expect("AMOUNT_DIFF" if o.get("currency") in (None, "", c.currency) else "CURRENCY_DIFF", oid, label, None)
        elif c.price is not None and price is not None:
            if c.currency and o.get("currency") and c.currency != o["currency"]:      # a currency that is not stated is no other one
                self.expect("CURRENCY_DIFF", oid, label, self.soon(c.bought))
            elif c.price != price:
                self.expect("AMOUNT_DIFF", oid, label, self.soon(c.bought))
        back = o["status"] in ("refunded", "revoked") or o.get("refunded_at")
        if not back and c.revoked is None and o["status"] != "delivered":
            self.expect("PAID_NOT_DELIVERED", oid, label,
                        None if c.state in ("family", "free") or o["status"] == "cancelled" else self.due(c.bought), "not delivered",
                        pending=c.state == "charged" and o["status"] == "paid")
        if c.revoked is not None:
            if c.partly:
                self.expect({"REFUND_NOT_APPLIED", "PAID_NOT_DELIVERED", "REFUND_ONLY_OURS"}, oid, label, None)
            elif not back:
                due = self.due(c.first_revoked)
                self.expect("REFUND_NOT_APPLIED", oid, label, None if due and (not self.was_delivered(o)
                            or c.state in ("family", "free")) else due)
        elif back:
            if c.reversed:
                # Delivered again, whatever earlier refund it still names.
                if not (o["status"] == "delivered" and o["updated_at"] >= c.reversed and (o.get("refunded_at") or 0) < c.reversed):
                    self.expect("REFUND_REVERSED_NOT_APPLIED", oid, label, self.due(c.reversed))
                if self.due(c.reversed) is not True:
                    self.expect("REFUND_ONLY_OURS", oid, label, None)
            elif o["status"] == "revoked" and not o.get("refunded_at"):     # "our `revoked` without a refund by Apple is short"
                ends = o.get("entitlement_expires_at")
                # An end in the future says when it was sold until; we ended it when we said so.
                whole = c.upgraded or (ends and c.expires and min(ends, o["updated_at"]) >= c.expires - SKEW)
                if not self.is_unshareable(c):
                    self.expect("ENTITLEMENT_SHORT", oid, label, None if whole else self.due(c.bought))
            else:
                self.expect("REFUND_ONLY_OURS", oid, label, self.soon(o.get("refunded_at") or c.bought))
        self.access_breaks(c, o)

    def access_breaks(self, c, o):
        ends = o.get("entitlement_expires_at")
        if not ends or c.kind != RENEWING:
            return
        oid, label = o["order_id"], c.label
        chain = self.chain(c)
        labels = [d.label for d in chain]
        access = self.access(chain)
        whole = c.revoked is None and not c.upgraded and c.state != "family"
        if access is None or ends > access["end"]:
            due = self.due(access["end"]) if access and whole else None
            ended = [d.revoked for d in chain if d.revoked]
            if ended and access is None and o["status"] in ("delivered", "cancelled") and self.was_delivered(o) \
                    and not any(d.partly or d.upgraded for d in chain) \
                    and (o.get("refunded_at") or 0) >= max(ended) and ends > max(ended) + SKEW:      # refunded on both sides, access goes on
                due = self.due(*ended)
            if due is False:
                due = None                    # already longer than what was sold; whether that counts before the end is open
            self.expect("ENTITLEMENT_OVERRUN", oid, labels, due, "access after the end")
        newest = max((d for d in chain if d.revoked is None and not d.upgraded), key=lambda d: (d.expires or 0), default=None)
        if access and c is newest and ends < access["end"] and not self.is_unshareable(c):
            self.expect("ENTITLEMENT_SHORT", oid, labels, None)

    # --- facts behind the decision of a break

    def facts_of(self, subject):
        """The facts on which a break may depend: a decision on it is in force until they change. None if there is no such break."""
        there = [e for e in self.expected if e.must and e.order == subject["order"] and set(e.classes) & set(subject["classes"])
                 and (sorted(e.charges) if e.charges is not None else None) == subject["charges"]]
        if not there:
            return None
        order = self.orders.get(subject["order"], {})
        near = {c for c in self.charges if c.label in (subject["charges"] or ())}
        near |= {c for c in (self.order_of.get(subject["order"]), self.refused.get(subject["order"], (None, None))[1]) if c}
        near |= {c for oid, c in self.barred if oid == subject["order"]}
        near |= {d for c in near for d in (self.chain(c) if c.kind == RENEWING else ())}
        near |= {c for _, c in self.claimed.get(subject["order"], ())}
        charges = sorted((c.label, tuple(sorted(c.tids)), c.state, str(c.revoked), str(c.reversed), str(c.price), str(c.expires), c.product,
                          str(self.matched.get(c, (None,))[0]), tuple(self.ambiguous.get(c, ())),
                          tuple(sorted(oid for oid, named in self.claimed.items() if any(d is c for _, d in named)))) for c in near)
        ends = [self.access(self.chain(c)) for c in near if c.kind == RENEWING]
        access = [str((a["end"], a["info"], a["status"])) if a else "-" for a in ends]
        tied = [e["id"] for e in self.items if order and self.verdicts[e["id"]] != "genuine" and self.tied(e, order)]
        row = sorted((n, v) for n, v in order.items() if n != "updated_at" and v is not None)
        return (sorted(set().union(*(e.classes for e in there))), row, charges, sorted(access), tied, str(self.refused.get(subject["order"], ("-",))[0]))

    # --- subscriptions

    def renewal_info(self, chain):
        """The renewal info of a chain, each field from the newest item that has it, and the newest status with its instant."""
        ids = {c.otid for c in chain}
        infos = [i for e in self.items if self.verdicts[e["id"]] == "genuine" and not self.wrong_app(e)
                 and e["bundle_id"] == chain[0].bundle and e["environment"] == chain[0].environment
                 for i in e["renewals"] if i["originalTransactionId"] in ids]
        statements = [(e["signed"], _status(e)) for e in self.items if self.verdicts[e["id"]] == "genuine" and _status(e)
                and any(tx["originalTransactionId"] in ids for tx in e["txs"]) and e["bundle_id"] == chain[0].bundle]
        bought = max((c.bought for c in chain if not c.upgraded), default=0)
        newest = None
        for info in sorted(infos, key=lambda i: i["signedDate"]):
            # "Rely on status and dates, not that flag alone": in a grace Apple tries to charge.
            if (info.get("gracePeriodExpiresDate") or 0) > info["signedDate"]:
                info = dict(info, isInBillingRetryPeriod=True)
            # "A field that one observation lacks and another has is kept"; some are about one period, which a purchase ends.
            kept = {n: v for n, v in info.items() if v is not None and (info["signedDate"] >= bought or n not in OF_ONE_PERIOD)}
            newest = dict(newest or {}, **kept)
        graced = max((i for i in infos if i.get("gracePeriodExpiresDate")), key=lambda i: i["signedDate"], default=None)
        if graced and newest.get("gracePeriodExpiresDate"):
            # "If the customer cancels during grace, the entry goes away"; another status than 4 ends it, too. "Silent while Apple's
            # status says grace": as late as that.
            in_grace = max((at for at, status in statements if status == 4), default=0)
            ended = [i["signedDate"] for i in infos if not i.get("gracePeriodExpiresDate") and i["signedDate"] > in_grace
                     and (i.get("autoRenewStatus") == 0 or i.get("expirationIntent", 2) != 2)]
            ended += [at for at, status in statements if status in (2, 3, 5)]
            over = min((at for at in ended if at > graced["signedDate"]), default=graced["gracePeriodExpiresDate"])
            newest.update(gracePeriodExpiresDate=min(over, graced["gracePeriodExpiresDate"]), graceStated=graced["signedDate"])
        return newest, max(statements, default=(None, None))

    def access(self, chain):
        rows = [c for c in chain if c.revoked is None and not c.upgraded and c.expires]
        if not rows:
            return None
        info, statements = self.renewal_info(chain)
        last = max(rows, key=lambda c: c.expires)
        ends = {"expiry": last.expires}
        if info and not any(c.revoked and c.revoked > info["signedDate"] and c.bought >= last.bought for c in chain):
            if info.get("gracePeriodExpiresDate") and info.get("graceStated", info["signedDate"]) > last.bought:
                ends["grace"] = info["gracePeriodExpiresDate"]
            elif statements[1] == 4 and statements[0] > last.bought:
                # "Silent while Apple's status says grace and names no end": as long as Apple tries to charge.
                ends["grace"] = last.expires + RETRIED
            superseded = [c for c in chain if (c.upgraded or c.revoked) and c.expires == info.get("renewalDate")]
            if info.get("renewalDate") and not superseded:
                ends["renewal"] = info["renewalDate"]
        return {"end": max(ends.values()), "ends": ends, "info": info, "status": statements, "last": last}

    def chain_breaks(self):
        seen = set()
        for c in self.charges:
            key = (c.environment, c.bundle, c.otid)
            if c.kind != RENEWING or key in seen or c.environment != "Production":
                continue
            seen.add(key)
            chain = self.chain(c)
            labels = [d.label for d in chain]
            access = self.access(chain)
            if access is None:
                self.expect("RENEWAL_MISSING", None, labels, None)
                continue
            info, (at, status) = access["info"], access["status"]
            fresh = info and info["signedDate"] >= access["last"].bought
            due = self.due(access["end"])
            if due and self.is_history(access["end"], c.bundle):
                due = None
            if info is None or not fresh or c.state == "family" or c.conflict:
                self.expect("RENEWAL_MISSING", None, labels, None if due is not False else False)
            elif status in (2, 5) and at >= info["signedDate"] or info.get("autoRenewStatus") == 0 or info.get("expirationIntent") in (1, 3, 4):
                continue
            elif info.get("isInBillingRetryPeriod") or status == 3:
                self.expect("RENEWAL_MISSING", None, labels, None)
            else:
                refunded = any(d.revoked for d in chain)
                self.expect("RENEWAL_MISSING", None, labels, None if refunded and due else due, "due, not charged")

    def find_subscriptions(self):
        self.subscriptions = {}
        for c in self.charges:
            key = (c.bundle, c.environment, c.otid)
            if c.kind != RENEWING or key in self.subscriptions:
                continue
            chain = self.chain(c)
            access = self.access(chain)
            row = {"user_id": self.chain_owner(c), "products": {d.product for d in chain}, "status": None, "ends": None}
            info, _ = self.renewal_info(chain)
            row["auto_renew"] = info.get("autoRenewStatus") if info else None
            if access is not None and not c.conflict and (info is None or not any(d.revoked for d in chain)):
                row["ends"] = set(access["ends"].values())
            clear = access is not None and not any(d.revoked for d in chain) and not c.conflict
            if clear:
                last = access["last"]
                row["products"] = {last.product}
                if access["end"] > self.now + MARGIN:
                    plain = max(v for name, v in access["ends"].items() if name != "grace")
                    row["status"] = {"active"} if plain > self.now else {"grace"}
                elif access["end"] < self.now - MARGIN:
                    row["status"] = {"not active"}
                    if access["status"][1] == 2 and access["status"][0] >= last.bought:
                        row["status"] = {"expired"}
                    elif access["info"] and access["info"].get("isInBillingRetryPeriod") and access["info"]["signedDate"] > last.bought:
                        # "GRACE_PERIOD_EXPIRED: retry continues to day 60": days of the failed renewal, however long the grace was.
                        failed = max(v for name, v in access["ends"].items() if name != "grace")
                        over = self.now - failed - RETRIED
                        row["status"] = {"billing_retry"} if over < -MARGIN else {"billing_retry", "expired"} if over < MARGIN else {"expired"}
            self.subscriptions[key] = row
