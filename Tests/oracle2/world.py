"""Makes small random worlds: the events between users, Apple and the shop, and which of them were reported, when and by whom.

A world is plain data, which can be written as JSON and reduced (`run.py --shrink`):

    seed, nights   instants (seconds) of the nightly runs
    settings       per night: apps, testers, review windows, roots that are installed
    catalogue      rows, once, before the first night
    users          {night, row}
    orders         {night, row}: one entry per version of an order (upsert by updated_at)
    decisions      decisions of people between nights: decisions.py
    evidence       {id, night, form, signer, environment, bundle_id, apple_id, signed, txs, renewals, wrap, ...}
    wish           orders whose first break people dismiss, where people decide at all

A `Purchase` has fields and dated changes (refund, reversal, upgrade). An item signed at an instant shows the purchase at that
instant. So genuine items never contradict each other; they differ only in the fields that they can carry. Instants are whole
seconds here; renderings turn them into milliseconds or RFC 3339. A scene (a function named `scene_...`) adds one story to the
world; stories of one user may overlap.
"""

import base64
import datetime
import hashlib
import json
import random
import uuid

import signing

MINUTE, HOUR, DAY = 60, 3600, 86400
READER, KIDS, FOREIGN = "com.acme.reader", "com.acme.kids", "com.stranger.game"
APPLE_ID = {READER: 1500000001, KIDS: 1500000002, FOREIGN: 1599999999}
CONSUMABLE, NON_CONSUMABLE, NON_RENEWING, RENEWING = "consumable", "non_consumable", "non_renewing", "auto_renewable"
TYPE_NAME = {CONSUMABLE: "Consumable", NON_CONSUMABLE: "Non-Consumable", NON_RENEWING: "Non-Renewing Subscription",
             RENEWING: "Auto-Renewable Subscription"}
RECEIPT_TYPE = {NON_CONSUMABLE: 0, CONSUMABLE: 1, NON_RENEWING: 2, RENEWING: 3}
#          product        type            CNY      USD    JPY  period shareable
PRODUCTS = {
    "coins60":    (CONSUMABLE,     6000,    990,  160000, None, False),
    "coins648":   (CONSUMABLE,   648000,  99990, 15000000, None, False),
    "lifetime":   (NON_CONSUMABLE, 198000, 29990, 4800000, None, True),
    "skin":       (NON_CONSUMABLE, 30000,  4990,  800000, None, False),
    "season90":   (NON_RENEWING,   68000,  9990, 1500000, None, False),
    "vip.month":  (RENEWING,       25000,  3990,  600000, 30, False),
    "svip.month": (RENEWING,       40000,  5990,  900000, 30, True),
    "vip.week":   (RENEWING,        8000,  1290,  200000, 7, False),
}
GROUP = "21000001"
STOREFRONT = {"CNY": ("CHN", "143465"), "USD": ("USA", "143441"), "JPY": ("JPN", "143462")}


def instant(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()) if text else None


def rfc(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def price_of(product, currency):
    return PRODUCTS[product][{"CNY": 1, "USD": 2, "JPY": 3}[currency]]


class Purchase:
    """One transaction as Apple knows it: `fields` in the names of the signed payload (instants in seconds), `changes` dated."""

    def __init__(self, fields):
        self.fields, self.changes = fields, []

    def change(self, at, **fields):
        self.changes.append((at, fields))

    def refund(self, at):
        self.change(at, revocationDate=at, revocationReason=0)

    def at(self, instant):
        seen = dict(self.fields)
        for when, fields in sorted(self.changes, key=lambda c: c[0]):
            if when <= instant:
                for name, value in fields.items():
                    if value is None:
                        seen.pop(name, None)
                    else:
                        seen[name] = value
        return seen

    @property
    def kind(self):
        return PRODUCTS[self.fields["productId"]][0]

    @property
    def tid(self):
        return self.fields["transactionId"]

    @property
    def bought(self):
        return self.fields["purchaseDate"]

    @property
    def ends(self):
        return self.fields["expiresDate"]


class Builder:
    def __init__(self, seed, roots_change=False, apps_change=False):
        self.rng = rng = random.Random(seed)
        self.seed = seed
        start = 1772323200 + rng.randrange(0, 60) * DAY            # from 2026-03-01 on
        self.start = start
        nights = [start + rng.choice([4, 8, 12]) * DAY]
        for _ in range(rng.choice([1, 1, 1, 2])):
            nights.append(nights[-1] + rng.choice([1, 1, 1, 2, 3, 8, 20, 35]) * DAY)
        self.nights = nights
        self.users, self.orders, self.evidence = [], [], []
        self.names = {"U": 0, "PO-": 0, "E": 0, "D": 0}
        self.number = 470001000000000 + rng.randrange(1, 900) * 100000
        self.settings = []
        for k in range(len(nights)):
            self.settings.append({"apps": [READER, KIDS], "testers": [], "windows": [], "roots": ["jws.cer", "receipts.cer"]})
        if roots_change:
            missing = rng.choice(["jws.cer", "receipts.cer"])
            for k in range(rng.randrange(1, len(nights))):
                self.settings[k]["roots"] = [r for r in self.settings[k]["roots"] if r != missing]
        if apps_change:
            for k in range(rng.randrange(1, len(nights))):
                self.settings[k]["apps"] = [READER]
        self.people, self.wish = [], []
        self.legacy = {}                # app receipt -> all purchases that Apple lists when asked about it, and what it says of renewal
        self.shown = {}                 # app receipt -> the purchases in it

    # --- small things

    def name(self, prefix):
        self.names[prefix] += 1
        return prefix + str(self.names[prefix])

    def tid(self):
        self.number += self.rng.randrange(1, 40)
        return str(self.number)

    def uuid(self):
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def chance(self, p):
        return self.rng.random() < p

    def night_of(self, instant):
        """The first night that can know what happened at an instant, or None when the world ends before."""
        for k, at in enumerate(self.nights):
            if at > instant:
                return k
        return None

    def arrival(self, instant, late=0.2, lost=0.0):
        """Night in which something of that instant reaches us; None: never."""
        if self.chance(lost):
            return None
        k = self.night_of(instant)
        if k is None:
            return None
        while self.chance(late) and k + 1 < len(self.nights):
            k += 1
        return k

    def moment(self, room=0):
        """An instant of business, so that `room` seconds remain before the last night."""
        end = max(self.nights[-1] - room - 2 * HOUR, self.start + HOUR)
        return self.rng.randrange(self.start, end)

    # --- users, orders

    def user(self, token=None, fresh=False, tester=False):
        if not fresh and self.people and self.chance(0.25):
            return self.rng.choice(self.people)
        user = {"user_id": self.name("U"), "token": None, "mode": token or self.rng.choice(
            ["order", "order", "user", "user", "implicit", "none"]), "device": self.name("D")}
        if user["mode"] in ("user", "implicit"):
            user["token"] = self.uuid()
        user["tester"] = tester
        if user["token"] or tester or self.chance(0.7):
            self.users.append({"night": 0, "row": {"user_id": user["user_id"], "app_account_token": user["token"] or "",
                                                   "is_tester": "true" if tester else "false"}})
        if not fresh:
            self.people.append(user)
        return user

    def order(self, user, product, created, status, bundle=READER, **more):
        """Adds an order with its first version. `status` is its fate: created, cancelled, paid or delivered."""
        row = {"order_id": self.name("PO-"), "bundle_id": bundle, "product_id": product, "user_id": user["user_id"],
               "status": "created", "created_at": created, "updated_at": created + 1, "environment": "Production",
               "quantity": 1, "price_milliunits": price_of(product, "CNY"), "currency": "CNY", "device_id": user["device"]}
        if user["mode"] == "order":
            row["app_account_token"] = self.uuid()
        elif user["mode"] == "user":
            row["app_account_token"] = user["token"]
        row.update({k: v for k, v in more.items() if v is not None})
        paid = more.get("paid_at", created + 2 * MINUTE)
        if status in ("paid", "delivered"):
            row.update(paid_at=paid, updated_at=paid + 5, status="paid")
        if status == "delivered":
            row.update(delivered_at=paid + 30, updated_at=paid + 31, status="delivered")
        if status == "cancelled":
            row.update(status="cancelled", updated_at=created + 3 * MINUTE)
        order = {"row": row, "last": None}
        k = self.arrival(row["updated_at"], late=0.1)
        if k is not None:
            self.orders.append({"night": k, "row": row})
        order["night"] = k
        return order

    def update(self, order, at, late=0.1, **changes):
        """A later version of an order."""
        row = dict(order["row"])
        row.update(changes)
        row["updated_at"] = max(at, row["updated_at"] + 1)
        order["row"] = row
        k = self.arrival(row["updated_at"], late=late)
        if k is not None:
            self.orders.append({"night": k, "row": row})

    # --- purchases

    def buy(self, product, bought, token=None, currency="CNY", quantity=1, bundle=READER, environment="Production", **more):
        kind = PRODUCTS[product][0]
        tid = self.tid()
        fields = {"transactionId": tid, "originalTransactionId": tid, "bundleId": bundle, "productId": product,
                  "purchaseDate": bought, "originalPurchaseDate": bought, "quantity": quantity, "type": TYPE_NAME[kind],
                  "inAppOwnershipType": "PURCHASED", "environment": environment, "storefront": STOREFRONT[currency][0],
                  "storefrontId": STOREFRONT[currency][1], "transactionReason": "PURCHASE", "currency": currency,
                  "price": price_of(product, currency) * quantity}
        if token:
            fields["appAccountToken"] = token
        if kind == RENEWING:
            fields["webOrderLineItemId"] = "47" + str(int(tid) % 10 ** 12 + 5)
            fields["expiresDate"] = bought + PRODUCTS[product][4] * DAY
            fields["subscriptionGroupIdentifier"] = GROUP
        for name, value in more.items():
            if value is None:
                fields.pop(name, None)
            else:
                fields[name] = value
        return Purchase(fields)

    def share(self, product, bought, token=None):
        """The family's copy of a purchase."""
        copy = self.buy(product, bought, token, inAppOwnershipType="FAMILY_SHARED", price=None)
        copy.fields.pop("currency")
        return copy

    # --- evidence

    def add_evidence(self, form, signed, txs, night, renewals=(), wrap=None, signer="apple", **more):
        """Adds an item of evidence, signed at an instant. `txs`: purchases, shown as of that instant, or finished dictionaries."""
        if night is None:
            return None
        seen = [t.at(signed) if isinstance(t, Purchase) else dict(t) for t in txs]
        first = (seen or [{}])[0]
        item = {"id": self.name("E"), "night": night, "form": form, "signer": signer, "signed": signed,
                "environment": first.get("environment", "Production"), "bundle_id": first.get("bundleId", READER),
                "txs": seen, "renewals": list(renewals), "wrap": wrap}
        item["apple_id"] = APPLE_ID[item["bundle_id"]]
        item.update(more)
        if form == "receipt":
            self.shown[item["id"]] = txs
        self.evidence.append(item)
        return item

    def upload(self, user, order=None):
        wrap = {"source": "client", "user_id": user["user_id"], "device_id": user["device"]}
        if order is not None:
            wrap["order_id"] = order["row"]["order_id"]
        return wrap

    def spread(self, purchase, user, order=None, at=None, ways=None, claim=0.3, late=0.2, lost=0.0, renewals=()):
        """Adds evidence of a purchase in one or more random forms, from the instant `at` on; by default soon after the purchase."""
        rng = self.rng
        at = at if at is not None else purchase.bought + rng.randrange(5, 300)
        ways = ways or rng.choice([["jws"], ["jws"], ["notification"], ["notification", "jws"], ["history"], ["receipt"],
                                   ["receipt", "notification"], ["jws", "receipt", "history"], ["jws", "jws"]])
        for way in ways:
            signed = at + rng.randrange(0, 600)
            night = self.arrival(signed, late=late, lost=lost)
            if night is None:
                continue
            mine = self.upload(user, order if self.chance(claim) else None) if self.chance(0.8) else None
            if way != "notification":
                more = {"der": False if mine else self.chance(0.3)} if way == "receipt" else {}
                self.add_evidence(way, signed, [purchase], night, wrap={"source": "api"} if way == "history" else mine, **more)
            else:
                kind = "ONE_TIME_CHARGE" if purchase.kind != RENEWING else \
                    "DID_RENEW" if purchase.fields["transactionReason"] == "RENEWAL" else "SUBSCRIBED"
                self.notify(kind, purchase, signed, night, renewals=renewals)
            if self.chance(0.1) and self.evidence:      # the same item once more, the same bytes
                again = dict(self.evidence[-1])
                k = self.arrival(self.nights[again["night"]] - 1, late=0.5)
                again.update(id=self.name("E"), night=k, same=again["id"])
                self.evidence.append(again)

    def notify(self, kind, purchase, signed, night, renewals=(), subtype=None, **more):
        if night is None:
            return None
        return self.add_evidence("notification", signed, [purchase], night, renewals=renewals,
                         wrap={"source": "notification"}, type=kind, subtype=subtype, uuid=self.uuid(), **more)

    def missed(self, kind, purchase, signed, night, renewals=(), **more):
        """A notification that Apple lists as never delivered."""
        return self.add_evidence("missed", signed, [purchase], night, renewals=renewals, wrap={"source": "api"}, type=kind, subtype=None,
                         **{"uuid": self.uuid(), **more})

    def token_for(self, user, order):
        if order is not None and order["row"].get("app_account_token"):
            return order["row"]["app_account_token"]
        return user["token"]

    def world(self):
        catalogue = []
        for product, (kind, cny, usd, jpy, days, shareable) in PRODUCTS.items():
            for bundle in (READER, KIDS):
                for currency, price in (("CNY", cny), ("USD", usd), ("JPY", jpy)):
                    catalogue.append({"bundle_id": bundle, "product_id": product, "type": kind,
                                      "subscription_group": GROUP if days else "", "period": f"P{days}D" if days else "",
                                      "family_shareable": "true" if shareable else "false",
                                      "storefront": STOREFRONT[currency][0], "currency": currency,
                                      "price_milliunits": price, "valid_from": "2025-01-01T00:00:00Z"})
        made = {"seed": self.seed, "nights": self.nights, "settings": self.settings, "catalogue": catalogue,
                "users": self.users, "orders": self.orders, "evidence": self.evidence, "wish": self.wish}
        return dict(made, answers=self.answers()) if self.legacy else made

    def answers(self):
        """What verifyReceipt says of every receipt that Apple signed, two hours before each night: the purchases that it lists, and of
        the scenes that say more (`legacy`) the periods since."""
        made = {}
        for item in self.evidence:
            if item["form"] != "receipt" or item["signer"] != "apple":
                continue
            made[item["id"]] = {}
            for k in range(item["night"] + 1, len(self.nights)):
                at = self.nights[k] - 2 * HOUR
                rows, info = self.legacy.get(item["id"], (self.shown[item.get("same", item["id"])], None))
                made[item["id"]][str(k)] = {"txs": [p.at(at) for p in rows if p.bought <= at], "renewals": [info(at)] if info else []}
        return made


# --- scenes ---------------------------------------------------------------------------------------------------------

ONE_TIME = ["coins60", "coins60", "coins648", "lifetime", "season90"]


def _one_time(b, user, product=None, bought=None, fate="delivered", **more):
    """An order and its purchase, as they should be."""
    rng = b.rng
    product = product or rng.choice(ONE_TIME)
    bought = bought or b.moment(room=DAY)
    created = bought - rng.randrange(10, 240)
    order = b.order(user, product, created, fate, **more)
    purchase = b.buy(product, bought, b.token_for(user, order), bundle=order["row"]["bundle_id"],
                     quantity=order["row"]["quantity"])
    if order["row"]["quantity"] > 1:
        order["row"]["price_milliunits"] = purchase.fields["price"]
    if fate in ("paid", "delivered") and b.chance(0.4):
        order["row"]["transaction_id"] = purchase.tid
        if b.chance(0.3):
            order["row"]["original_transaction_id"] = purchase.fields["originalTransactionId"]
    if purchase.kind == RENEWING:
        order["row"]["entitlement_expires_at"] = purchase.ends
    return order, purchase


def _unname(order):
    """The order names no purchase."""
    for name in ("transaction_id", "original_transaction_id"):
        order["row"].pop(name, None)


def scene_plain(b, rng):
    user = b.user()
    order, purchase = _one_time(b, user, bundle=rng.choice([READER, READER, KIDS]))
    b.spread(purchase, user, order)


def scene_quantity(b, rng):
    user = b.user(fresh=True)
    order, purchase = _one_time(b, user, "coins60", quantity=rng.choice([2, 3]))
    if b.chance(0.3) and user["mode"] in ("order", "user"):
        order["row"].update(quantity=1, price_milliunits=price_of("coins60", "CNY"))
    b.spread(purchase, user, order, ways=["jws"])


def scene_not_delivered(b, rng):
    user = b.user()
    order, purchase = _one_time(b, user, fate=rng.choice(["paid", "paid", "created"]))
    b.spread(purchase, user, order)


def scene_lost_order(b, rng):
    user = b.user()
    product = rng.choice(ONE_TIME)
    purchase = b.buy(product, b.moment(room=DAY), user["token"], price=rng.choice([None, 0, 1]) if b.chance(0.0) else
                     price_of(product, "CNY"))
    b.spread(purchase, user)


def scene_lost_charge(b, rng):
    user = b.user()
    _one_time(b, user, fate=rng.choice(["paid", "delivered", "delivered", "created", "cancelled"]))


def scene_disagree(b, rng):
    user = b.user(fresh=True)
    order, purchase = _one_time(b, user, rng.choice(["coins60", "lifetime"]))
    if b.chance(0.5):
        order["row"]["price_milliunits"] += rng.choice([1, -1, 1000])
    else:
        order["row"].update(currency="USD", price_milliunits=price_of(order["row"]["product_id"], "USD"))
    b.spread(purchase, user, order, ways=["jws"])


def scene_currency(b, rng):
    user = b.user()
    currency = rng.choice(["USD", "JPY"])
    product = rng.choice(ONE_TIME)
    bought = b.moment(room=DAY)
    order = b.order(user, product, bought - 60, "delivered", currency=currency, price_milliunits=price_of(product, currency))
    purchase = b.buy(product, bought, b.token_for(user, order), currency=currency)
    b.spread(purchase, user, order, ways=["jws"])


def scene_off_catalogue(b, rng):
    user = b.user(fresh=True)
    order, purchase = _one_time(b, user, "coins648")
    purchase.fields["price"] -= 100000
    order["row"]["price_milliunits"] -= 100000
    b.spread(purchase, user, order, ways=["jws"])


def scene_retry(b, rng):
    """Cancelled or abandoned, then tried again: everyday traffic."""
    user = b.user(fresh=True)
    product = rng.choice(ONE_TIME)
    bought = b.moment(room=DAY)
    b.order(user, product, bought - rng.randrange(600, 3000), rng.choice(["created", "cancelled"]))
    order, purchase = _one_time(b, user, product, bought)
    _unname(order)
    b.spread(purchase, user, order, claim=0)


def scene_refund(b, rng):
    user = b.user()
    order, purchase = _one_time(b, user, quantity=1 if b.chance(0.7) else 3, product=None if b.chance(0.5) else "coins60")
    if order["row"]["product_id"] not in ("coins60", "coins648"):
        order["row"]["quantity"] = purchase.fields["quantity"] = 1
        order["row"]["price_milliunits"] = purchase.fields["price"] = price_of(order["row"]["product_id"], "CNY")
    at = purchase.bought + rng.randrange(3 * HOUR, 6 * DAY)
    partial = b.chance(0.25)
    how = {"revocationDate": at, "revocationReason": 0}
    if partial:
        how.update(revocationType="REFUND_PRORATED", revocationPercentage=rng.choice([33333, 50000, 66667]))
    elif b.chance(0.6):
        how.update(revocationType="REFUND_FULL", revocationPercentage=100000)
    purchase.change(at, **how)
    back = at + rng.randrange(DAY, 4 * DAY) if b.chance(0.35) else None
    if back:
        purchase.change(back, revocationDate=None, revocationReason=None, revocationType=None, revocationPercentage=None)
    b.spread(purchase, user, order, late=0.3)
    for way in rng.choice([["notice"], ["history"], ["notice", "receipt"], ["notice", "history"], ["jws"], ["receipt"]]):
        signed = at + rng.randrange(1, 1800)
        night = b.arrival(signed, late=0.3)
        if way == "notice":
            b.notify("REFUND", purchase, signed, night)
        else:
            b.add_evidence(way, signed, [purchase], night, wrap={"source": "api"} if way == "history" else b.upload(user))
    if back:
        signed = back + 5
        if b.chance(0.7):
            b.notify("REFUND_REVERSED", purchase, signed, b.arrival(signed))
        else:
            b.add_evidence("history", signed, [purchase], b.arrival(signed), wrap={"source": "api"})
    if b.chance(0.4):                       # a receipt of later that may still list the row
        signed = at + rng.randrange(HOUR, 10 * DAY)
        b.add_evidence("receipt", signed, [purchase], b.arrival(signed), wrap=b.upload(user))
    if b.chance(0.5) and not partial:       # we noticed
        b.update(order, at + HOUR, status="refunded", refunded_at=at + HOUR)
        if back and b.chance(0.5):
            b.update(order, back + HOUR, status="delivered", refunded_at=None)


def scene_refund_ours(b, rng):
    user = b.user()
    order, purchase = _one_time(b, user)
    b.spread(purchase, user, order)
    b.update(order, purchase.bought + 3 * HOUR, status="refunded", refunded_at=purchase.bought + 3 * HOUR)


def scene_refund_no_order(b, rng):
    user = b.user()
    purchase = b.buy(rng.choice(ONE_TIME), b.moment(room=3 * DAY), user["token"])
    at = purchase.bought + rng.randrange(HOUR, DAY)
    purchase.change(at, revocationDate=at, revocationReason=1)
    b.notify("REFUND", purchase, at + 9, b.arrival(at + 9))
    if b.chance(0.5):
        b.spread(purchase, user)


def scene_double(b, rng):
    """One purchase delivered twice to one user."""
    user = b.user(fresh=True)
    order, purchase = _one_time(b, user)
    order["row"]["transaction_id"] = purchase.tid
    again = b.order(user, order["row"]["product_id"], purchase.bought + rng.randrange(600, 2 * DAY), "delivered",
                    transaction_id=purchase.tid)
    b.spread(purchase, user, order, claim=0)
    if b.chance(0.4):                       # the next purchase belongs to the next order, not to the refused one
        following = again["row"]["created_at"] + rng.randrange(HOUR, 8 * HOUR)
        order2, purchase2 = _one_time(b, user, order["row"]["product_id"], following)
        b.spread(purchase2, user, order2, claim=0)


def scene_replay(b, rng):
    owner, thief = b.user(fresh=True), b.user(fresh=True)
    order, purchase = _one_time(b, owner)
    b.spread(purchase, owner, order, ways=["jws"] if b.chance(0.7) else None)
    created = purchase.bought + rng.randrange(300, 4 * DAY) if b.chance(0.8) else purchase.bought - rng.randrange(20, 200)
    named = b.chance(0.5)
    order2 = b.order(thief, order["row"]["product_id"], created, "delivered", transaction_id=purchase.tid if named else None)
    if not named or b.chance(0.5):
        signed = purchase.bought + 100
        b.add_evidence("jws", signed, [purchase], b.arrival(max(signed, created)), wrap=b.upload(thief, order2))


def scene_not_yours(b, rng):
    """An order names a purchase that carries another user's token; the other has no order."""
    owner, thief = b.user("user", fresh=True), b.user(rng.choice(["user", "none"]), fresh=True)
    product = rng.choice(ONE_TIME)
    bought = b.moment(room=DAY)
    purchase = b.buy(product, bought, owner["token"])
    b.order(thief, product, bought - 60, "delivered", transaction_id=purchase.tid)
    b.spread(purchase, thief, ways=["jws"])


def scene_hoard(b, rng):
    user = b.user(fresh=True)
    product = rng.choice(["coins60", "coins648", "season90"])
    bought = b.start - rng.randrange(10, 40) * DAY
    user["mode"], user["token"] = "none", None
    created = b.moment(room=DAY)
    purchase = b.buy(product, bought)
    order = b.order(user, product, created, "delivered", transaction_id=purchase.tid)
    b.add_evidence("jws", bought + 60, [purchase], b.arrival(created + 100, late=0.1), wrap=b.upload(user, order if b.chance(0.5) else None))


def scene_restore(b, rng):
    """A non-consumable restored on a second device: another transaction id, the same charge."""
    user = b.user(fresh=True)
    order, purchase = _one_time(b, user, "lifetime")
    b.spread(purchase, user, order)
    at = purchase.bought + rng.randrange(DAY, 9 * DAY)
    again = Purchase(dict(purchase.fields, transactionId=b.tid(), purchaseDate=at))
    again.fields.pop("price"), again.fields.pop("currency")
    b.add_evidence("receipt", at + 60, [again], b.arrival(at + 60), wrap=b.upload(user))


def _renewal(b, purchase, product=None, bought=None, **more):
    """The next period of a subscription."""
    product = product or purchase.fields["productId"]
    bought = bought or purchase.ends - b.rng.randrange(0, 5 * HOUR)
    begins = max(bought, purchase.ends) if more.get("transactionReason", "RENEWAL") == "RENEWAL" else bought
    tid = b.tid()
    fields = dict(purchase.fields, transactionId=tid, productId=product, purchaseDate=bought, transactionReason="RENEWAL",
                  webOrderLineItemId="47" + str(int(tid) % 10 ** 12 + 5), expiresDate=begins + PRODUCTS[product][4] * DAY,
                  price=price_of(product, "CNY"))
    for gone in ("offerType", "offerDiscountType"):
        fields.pop(gone, None)
    fields.update(more)
    return Purchase(fields)


def _info(purchase, signed, **more):
    info = {"originalTransactionId": purchase.fields["originalTransactionId"], "productId": purchase.fields["productId"],
            "autoRenewProductId": purchase.fields["productId"], "autoRenewStatus": 1, "signedDate": signed,
            "environment": purchase.fields["environment"], "renewalDate": purchase.ends}
    info.update(more)
    return {k: v for k, v in info.items() if v is not None}


def scene_subscription(b, rng):
    user = b.user(fresh=True)
    product = rng.choice(["vip.week", "vip.week", "vip.month", "svip.month"])
    days = PRODUCTS[product][4]
    world_days = (b.nights[-1] - b.start) // DAY
    bought = b.start - rng.randrange(0, 2 * days) * DAY + rng.randrange(0, max(1, min(world_days, 3))) * DAY + rng.randrange(0, DAY)
    order = b.order(user, product, bought - 60, "delivered")
    token = b.token_for(user, order)
    purchase = b.buy(product, bought, token)
    if b.chance(0.15):
        purchase.fields.update(price=0, offerType=1, offerDiscountType="FREE_TRIAL")
        order["row"]["price_milliunits"] = 0
    order["row"]["entitlement_expires_at"] = purchase.ends
    if b.chance(0.5):
        order["row"].update(transaction_id=purchase.tid)
    b.spread(purchase, user, order, ways=rng.choice([["jws"], ["notification"], ["receipt", "jws"], ["jws", "notification"]]),
             lost=0.03, renewals=[_info(purchase, purchase.bought + 60)])
    last, chain = purchase, [(purchase, order)]
    booking = rng.choice(["each", "each", "each", "bunch", "never"])
    waiting = []
    while True:
        due = last.ends
        end = rng.random()
        if due > b.nights[-1] - 3 * HOUR:
            break
        if end < 0.08:                      # the user turned it off
            at = due - rng.randrange(HOUR, 3 * DAY)
            b.notify("DID_CHANGE_RENEWAL_STATUS", last, at, b.arrival(at), subtype="AUTO_RENEW_DISABLED",
                     renewals=[_info(last, at, autoRenewStatus=0)], status=1)
            at = due + 60
            b.notify("EXPIRED", last, at, b.arrival(at, lost=0.2), subtype="VOLUNTARY", status=2,
                     renewals=[_info(last, at, autoRenewStatus=0, expirationIntent=1)])
            break
        if end < 0.2:                       # billing trouble, with or without grace
            at = due + 60
            grace = due + 6 * DAY if b.chance(0.6) else None
            info = _info(last, at, isInBillingRetryPeriod=True, expirationIntent=2, gracePeriodExpiresDate=grace)
            b.notify("DID_FAIL_TO_RENEW", last, at, b.arrival(at), subtype="GRACE_PERIOD" if grace else None,
                     status=4 if grace else 3, renewals=[info])
            back = due + rng.randrange(DAY, 12 * DAY)
            if b.chance(0.3):               # stated in between, and without the earlier statement
                changed_at = at + rng.randrange(HOUR, 20 * HOUR)
                b.notify("DID_CHANGE_RENEWAL_PREF", last, changed_at, b.arrival(changed_at), status=4 if grace else 3,
                         renewals=[_info(last, changed_at, autoRenewStatus=None, renewalDate=None)])
            if grace and back > grace:
                b.notify("GRACE_PERIOD_EXPIRED", last, grace + 60, b.arrival(grace + 60), status=3,
                         renewals=[_info(last, grace + 60, isInBillingRetryPeriod=True, expirationIntent=2)])
            if b.chance(0.4) or back > b.nights[-1] - 3 * HOUR:
                break
            following = _renewal(b, last, bought=back)
            if grace and back <= grace:
                following.fields["expiresDate"] = due + days * DAY
        elif end < 0.26 and product != "svip.month" and days == 30:
            at = due - rng.randrange(5, 20) * DAY     # upgrade, at once
            following = _renewal(b, last, "svip.month", at, transactionReason="PURCHASE")
            product = "svip.month"
            last.change(at, isUpgraded=True)
            if b.chance(0.8):
                b.add_evidence("history", at + 300, [last], b.arrival(at + 300), wrap={"source": "api"})
            up = b.order(user, product, at - 60, "delivered", transaction_id=following.tid,
                         entitlement_expires_at=following.ends,
                         original_transaction_id=following.fields["originalTransactionId"])
            b.spread(following, user, up, ways=["notification"], renewals=[_info(following, following.bought + 60)])
            chain.append((following, up))
            last = following
            continue
        else:
            following = _renewal(b, last)
        b.spread(following, user, ways=rng.choice([["notification"], ["notification", "jws"], ["jws"], ["history"], ["receipt"]]),
                 lost=0.06, renewals=[_info(following, following.bought + 60)], claim=0)
        if b.chance(0.12):                  # a second device names the period by another id
            twin = Purchase(dict(following.fields, transactionId=b.tid()))
            b.add_evidence("jws", following.bought + 900, [twin], b.arrival(following.bought + 900), wrap=b.upload(user))
        waiting.append(following)
        chain.append((following, None))
        last = following
    # bookings of the renewals
    def book(renewal, created, name):
        if b.night_of(created) is None:
            return None
        fields = {"entitlement_expires_at": renewal.ends}
        if name == "line":
            fields["web_order_line_item_id"] = renewal.fields["webOrderLineItemId"]
        elif name == "id":
            fields["transaction_id"] = renewal.tid
        fields["original_transaction_id"] = renewal.fields["originalTransactionId"]
        saved = user["mode"]
        user["mode"] = "none"
        made = b.order(user, renewal.fields["productId"], created, "delivered", **fields)
        user["mode"] = saved
        return made
    if booking == "each":
        for renewal in waiting:
            if not b.chance(0.1):
                name = rng.choice(["line", "id", "chain"])
                book(renewal, renewal.bought + rng.randrange(20 * MINUTE, 18 * HOUR), name)
    elif booking == "bunch" and waiting:
        at = waiting[-1].bought + rng.randrange(HOUR, 18 * HOUR)
        for i, renewal in enumerate(waiting):
            book(renewal, at + 60 * i, rng.choice(["line", "line", "id"]))
    # extension by renewalDate alone
    if b.chance(0.1) and last.ends < b.nights[-1] + 10 * DAY and last.ends > b.start:
        at = last.ends - HOUR
        b.notify("RENEWAL_EXTENDED", last, at, b.arrival(at), status=1,
                 renewals=[_info(last, at, renewalDate=last.ends + rng.choice([14, 60]) * DAY)])
    # refund of a period
    if b.chance(0.12):
        period = rng.choice([p for p, _ in chain])
        at = period.bought + rng.randrange(HOUR, 4 * DAY)
        if period.fields.get("price") and at < b.nights[-1]:
            period.change(at, revocationDate=at, revocationReason=0, revocationType="REFUND_FULL", revocationPercentage=100000)
            b.notify("REFUND", period, at + 5, b.arrival(at + 5))
    # Apple's status answer, late in the world
    if b.chance(0.3):
        at = b.nights[-1] - rng.randrange(HOUR, DAY)
        if at > last.bought and last.ends > at and not any(when > last.bought for when, _ in last.changes):
            b.add_evidence("status", at, [last], len(b.nights) - 1, renewals=[_info(last, at)], status=1, wrap={"source": "api"})


def scene_family(b, rng):
    owner, member = b.user(fresh=True), b.user(fresh=True)
    product = rng.choice(["svip.month", "vip.month", "lifetime", "skin"])
    bought = b.moment(room=DAY)
    order, purchase = _one_time(b, owner, product, bought)
    b.spread(purchase, owner, order, ways=["jws"])
    shared = b.share(product, bought + 60)
    if rng.random() < 0.5 and "expiresDate" in purchase.fields:
        shared.fields["expiresDate"] = purchase.ends
    if b.chance(0.6):
        price = rng.choice([0, price_of(product, "CNY")])
        b.order(member, product, bought + 30, "delivered", transaction_id=shared.tid, price_milliunits=price,
                entitlement_expires_at=shared.fields.get("expiresDate"))
    b.spread(shared, member, ways=rng.choice([["jws"], ["notification"]]))


def scene_sandbox(b, rng):
    """A purchase in Apple's sandbox behind a live delivery; testers and reviewers may."""
    user = b.user(rng.choice(["order", "none", "user"]), fresh=True, tester=b.chance(0.2))
    product = rng.choice(ONE_TIME)
    bought = b.moment(room=DAY)
    kind = rng.random()
    if kind < 0.2:
        for s in b.settings:
            s["testers"].append(user["user_id"])
    elif kind < 0.4:
        closed = b.chance(0.5)
        window = {"from": bought - 3 * DAY, "to": bought + (-DAY if closed else 3 * DAY), "users": [user["user_id"]]}
        for s in b.settings:
            s["windows"].append(window)
    order = b.order(user, product, bought - 60, "delivered")
    purchase = b.buy(product, bought, b.token_for(user, order), environment="Sandbox")
    purchase.fields.update(transactionId="2" + purchase.tid, originalTransactionId="2" + purchase.tid)
    named = b.chance(0.5)
    if named:
        order["row"]["transaction_id"] = purchase.tid
    signed = purchase.bought + 60
    b.add_evidence(rng.choice(["jws", "receipt"]), signed, [purchase], b.arrival(signed), wrap=b.upload(user, None if named else order))


def scene_sandbox_both(b, rng):
    """Sandbox purchase on a sandbox order, and the reverse leak."""
    user = b.user("order", fresh=True)
    product = rng.choice(ONE_TIME)
    bought = b.moment(room=DAY)
    order = b.order(user, product, bought - 60, "delivered", environment="Sandbox")
    purchase = b.buy(product, bought, b.token_for(user, order), environment=rng.choice(["Sandbox", "Production"]))
    order["row"]["transaction_id"] = purchase.tid
    b.spread(purchase, user, order, ways=["jws"])


def scene_forged(b, rng):
    """Somebody signs under another root and our own client uploads it for an order."""
    user = b.user(rng.choice(["order", "none", "user"]), fresh=True)
    product = rng.choice(ONE_TIME)
    bought = b.moment(room=DAY)
    order = b.order(user, product, bought - 60, "delivered")
    purchase = b.buy(product, bought, b.token_for(user, order))
    how = rng.choice(["order", "named"])
    if how == "named":
        order["row"]["transaction_id"] = purchase.tid
    b.add_evidence(rng.choice(["jws", "receipt"]), bought + 30, [purchase], b.arrival(bought + 30, late=0.1), signer="stranger",
           wrap=b.upload(user, order if how == "order" else None))


def scene_hostile(b, rng):
    """A bad signature with an honest customer's transaction, posted by anybody; the honest purchase may come later or never."""
    user = b.user(fresh=True)
    order, purchase = _one_time(b, user)
    order["row"]["transaction_id"] = purchase.tid
    lost = b.chance(0.4)
    if not lost:
        b.spread(purchase, user, order)
    other = b.user(fresh=True)
    wrap = rng.choice([{"source": "notification"}, None, b.upload(other)])
    forged = b.add_evidence(rng.choice(["jws", "notification"]), purchase.bought + 200, [purchase], b.arrival(purchase.bought + 200),
                    signer="stranger", wrap=wrap, type="REFUND", subtype=None, uuid=b.uuid())
    if forged and b.chance(0.5):
        forged["txs"][0].update(revocationDate=purchase.bought + 150, revocationReason=0)


def scene_foreign(b, rng):
    """A genuine purchase of somebody else's app, offered for an order of ours; or of the sister app."""
    user = b.user(rng.choice(["order", "none"]), fresh=True)
    bought = b.moment(room=DAY)
    bundle = rng.choice([FOREIGN, FOREIGN, KIDS])
    order = b.order(user, "coins60", bought - 60, "delivered")
    purchase = b.buy("coins60", bought, bundle=bundle)
    named = b.chance(0.5)
    if named:
        order["row"]["transaction_id"] = purchase.tid
    b.add_evidence(rng.choice(["jws", "receipt"]), bought + 60, [purchase], b.arrival(bought + 60), wrap=b.upload(user, None if named else order))


def scene_app_id(b, rng):
    """A notification for our bundle with another app's Apple id: its transaction is no money by that."""
    user = b.user(fresh=True)
    purchase = b.buy(rng.choice(ONE_TIME), b.moment(room=DAY), user["token"])
    b.notify("ONE_TIME_CHARGE", purchase, purchase.bought + 60, b.arrival(purchase.bought + 60), apple_id=1599999999)


def scene_conflict(b, rng):
    """Two purchases in Production that share a line item."""
    user = b.user("none", fresh=True)
    bought = b.moment(room=DAY)
    one = b.buy("vip.month", bought)
    two = b.buy("vip.month", bought + 60 * rng.randrange(1, 60), webOrderLineItemId=one.fields["webOrderLineItemId"])
    b.add_evidence("jws", one.bought + 60, [one], b.arrival(one.bought + 60), wrap=b.upload(user))
    b.add_evidence("jws", two.bought + 60, [two], b.arrival(two.bought + 60), wrap=b.upload(user))


def scene_paid_twice(b, rng):
    """One order, with its own token, paid by two purchases."""
    user = b.user("order", fresh=True)
    order, purchase = _one_time(b, user, rng.choice(["coins60", "season90"]))
    _unname(order)
    second = b.buy(order["row"]["product_id"], purchase.bought + rng.randrange(60, 3 * HOUR), order["row"]["app_account_token"])
    b.spread(purchase, user, order, ways=["jws"], claim=0)
    b.spread(second, user, order, ways=["jws"], claim=0)


def scene_device(b, rng):
    """The name was lost; who was on that device?"""
    one = b.user("none", fresh=True)
    two = b.user("none", fresh=True)
    two["device"] = one["device"]
    bought = b.moment(room=DAY)
    product = rng.choice(["coins60", "season90"])
    b.order(one, product, bought - 120, "paid")
    if b.chance(0.6):
        b.order(two, product, bought - 60, "paid")
    purchase = b.buy(product, bought)
    b.add_evidence(rng.choice(["jws", "receipt"]), bought + 60, [purchase], b.arrival(bought + 60), wrap=b.upload(rng.choice([one, two])))


def scene_twins(b, rng):
    """Two orders and two purchases of the same product by the same user."""
    user = b.user(fresh=True)
    product = rng.choice(["coins60", "coins648"])
    bought = b.moment(room=2 * DAY)
    gap = rng.choice([rng.randrange(10 * MINUTE, 20 * HOUR), rng.randrange(26 * HOUR, 40 * HOUR)])
    for at in (bought, bought + gap):
        order, purchase = _one_time(b, user, product, at)
        if b.chance(0.85):
            b.spread(purchase, user, order, ways=["jws"])


def scene_replaced_token(b, rng):
    """The user's token changes; Apple goes on telling the old one."""
    user = b.user(rng.choice(["user", "implicit"]), fresh=True)
    old = user["token"]
    order, purchase = _one_time(b, user)
    b.spread(purchase, user, order, claim=0)
    user["token"] = b.uuid()
    k = rng.randrange(0, len(b.nights))
    b.users.append({"night": k, "row": {"user_id": user["user_id"], "app_account_token": user["token"], "is_tester": "false"}})
    if b.chance(0.6):
        order, purchase = _one_time(b, user)
        if b.chance(0.5):
            purchase.fields["appAccountToken"] = old
        b.spread(purchase, user, order, claim=0)
    if b.chance(0.4):                       # somebody else names a purchase under the old token
        thief = b.user("none", fresh=True)
        b.order(thief, purchase.fields["productId"], purchase.bought + rng.randrange(300, 2 * DAY), "delivered",
                transaction_id=purchase.tid)


def scene_shared_token(b, rng):
    """Two users hold one token: it names nobody."""
    one, two = b.user("user", fresh=True), b.user("user", fresh=True)
    two["token"] = one["token"]
    b.users = [u for u in b.users if u["row"]["user_id"] != two["user_id"]]
    b.users.append({"night": rng.randrange(0, len(b.nights)), "row": {
        "user_id": two["user_id"], "app_account_token": two["token"], "is_tester": "false"}})
    order, purchase = _one_time(b, one)
    b.spread(purchase, one, order)
    if b.chance(0.5):
        b.order(two, order["row"]["product_id"], purchase.bought + 600, "delivered", transaction_id=purchase.tid)


def scene_wrong_product(b, rng):
    user = b.user(rng.choice(["order", "none"]), fresh=True)
    bought = b.moment(room=DAY)
    order = b.order(user, "coins648", bought - 60, "delivered")
    purchase = b.buy("coins60", bought, b.token_for(user, order))
    order["row"]["transaction_id"] = purchase.tid
    b.spread(purchase, user, ways=["jws"])


def scene_unsigned(b, rng):
    """verifyReceipt's answer as a client sent it: nobody vouches for it."""
    user = b.user(rng.choice(["order", "none"]), fresh=True)
    order, purchase = _one_time(b, user)
    b.add_evidence("verify", purchase.bought + 60, [purchase], b.arrival(purchase.bought + 60), wrap=b.upload(user, order if b.chance(0.5) else None))


def scene_two_names(b, rng):
    """A period that is reported with and without its line item: one charge."""
    user = b.user(fresh=True)
    bought = b.moment(room=DAY)
    _, purchase = _one_time(b, user, "vip.month", bought)
    bare = Purchase({k: v for k, v in purchase.fields.items() if k != "webOrderLineItemId"})
    b.add_evidence("receipt", bought + 60, [bare], b.arrival(bought + 60), wrap=b.upload(user))
    b.add_evidence("jws", bought + 90, [purchase], b.arrival(bought + 90), wrap=b.upload(user))


def scene_ask_to_buy(b, rng):
    """The payment completes days after the order; the token knows."""
    user = b.user("order", fresh=True)
    product = rng.choice(ONE_TIME)
    bought = b.moment(room=DAY)
    order = b.order(user, product, bought - rng.randrange(26, 300) * HOUR, "delivered", paid_at=bought + 60)
    b.spread(b.buy(product, bought, b.token_for(user, order)), user, order)


def scene_entitlement(b, rng):
    """Access that ends later or earlier than what Apple sold."""
    user = b.user(fresh=True)
    product = rng.choice(["vip.week", "vip.month"])
    bought = b.start - rng.randrange(0, 25) * DAY
    order, purchase = _one_time(b, user, product, bought)
    order["row"]["entitlement_expires_at"] = purchase.ends + rng.choice([-5, 40, 90]) * DAY
    at = purchase.ends - 2 * HOUR
    b.spread(purchase, user, order, ways=["jws"])
    info = _info(purchase, at, autoRenewStatus=0)
    b.notify("DID_CHANGE_RENEWAL_STATUS", purchase, at, b.arrival(at, late=0), subtype="AUTO_RENEW_DISABLED", renewals=[info], status=1)


def scene_resubscribe(b, rng):
    """Back after months, under the same original id, with another order."""
    user = b.user("order", fresh=True)
    at = b.moment(room=DAY)
    first = at - rng.randrange(60, 200) * DAY
    order = b.order(user, "vip.month", first - 60, "delivered")
    purchase = b.buy("vip.month", first, b.token_for(user, order))
    order["row"]["entitlement_expires_at"] = purchase.ends
    b.spread(purchase, user, order, ways=["jws"], claim=0)
    info = _info(purchase, purchase.ends + 60, autoRenewStatus=0, expirationIntent=1)
    b.notify("EXPIRED", purchase, info["signedDate"], b.arrival(info["signedDate"], late=0), subtype="VOLUNTARY", status=2, renewals=[info])
    order2 = b.order(user, "vip.month", at - 60, "delivered")
    again = _renewal(b, purchase, bought=at, transactionReason="PURCHASE", appAccountToken=b.token_for(user, order2))
    again.fields["expiresDate"] = at + 30 * DAY
    order2["row"]["entitlement_expires_at"] = again.ends
    b.spread(again, user, order2, ways=["jws", "notification"], claim=0, renewals=[_info(again, at + 60)])


def scene_history(b, rng):
    """Several purchases of one customer in one item: a receipt, or a page of Apple's history."""
    user = b.user(fresh=True)
    made = []
    for product in rng.sample(["coins60", "lifetime", "season90", "skin", "vip.month"], rng.choice([2, 3])):
        order, purchase = _one_time(b, user, product)
        if b.chance(0.3):
            at = purchase.bought + rng.randrange(HOUR, 2 * DAY)
            purchase.refund(at)
            if b.chance(0.5):
                b.update(order, at + HOUR, status="refunded", refunded_at=at + HOUR)
        made.append(purchase)
    for form in rng.choice([["receipt"], ["history"], ["receipt", "history"], ["history", "receipt"]]):
        signed = max(p.bought for p in made) + rng.randrange(600, 3 * DAY)
        shown = [p for p in made if form == "history" or p.kind != CONSUMABLE or b.chance(0.5)]
        if shown:
            b.add_evidence(form, signed, shown, b.arrival(signed), wrap=b.upload(user) if form == "receipt" else {"source": "api"})


def scene_hash(b, rng):
    """The order carries the hash of the evidence (rung M5) and no token leads to it."""
    user = b.user("none", fresh=True)
    order, purchase = _one_time(b, user, rng.choice(["coins60", "lifetime", "season90"]))
    _unname(order)
    signed = purchase.bought + 30
    form = rng.choice(["jws", "receipt", "notification", "history"])
    night = b.arrival(signed)
    if form == "notification":
        item = b.notify("ONE_TIME_CHARGE", purchase, signed, night)
    else:
        item = b.add_evidence(form, signed, [purchase], night, wrap={"source": "import"})
    if item:
        order["row"]["evidence_of"] = item["id"]


def scene_two_accounts(b, rng):
    """A second account of ours buys the next period of the first account's subscription."""
    one, two = b.user("user", fresh=True), b.user("user", fresh=True)
    bought = b.start - rng.randrange(0, 20) * DAY
    order, purchase = _one_time(b, one, "vip.month", bought)
    b.spread(purchase, one, order, ways=["jws"], claim=0)
    at = purchase.bought + rng.randrange(2, 12) * DAY
    if at > b.nights[-1] - 2 * DAY:
        return
    following = _renewal(b, purchase, "svip.month", at, transactionReason="PURCHASE", appAccountToken=two["token"])
    purchase.change(at, isUpgraded=True)
    b.order(two, "svip.month", at - 60, "delivered", entitlement_expires_at=following.ends)
    b.add_evidence("jws", at + 60, [following], b.arrival(at + 60), wrap=b.upload(two))


def scene_conflict_more(b, rng):
    """One line item and one original id in Production, but another product or another purchase instant."""
    user = b.user("none", fresh=True)
    bought = b.moment(room=DAY)
    one = b.buy("vip.month", bought)
    other = {"productId": "svip.month", "price": price_of("svip.month", "CNY")} if b.chance(0.5) else {"purchaseDate": bought + rng.randrange(1, 40) * HOUR}
    two = Purchase(dict(one.fields, transactionId=b.tid(), transactionReason="RENEWAL", **other))
    for p in (one, two):
        b.add_evidence("jws", p.bought + 60, [p], b.arrival(p.bought + 60), wrap=b.upload(user))


def scene_noise(b, rng):
    b.evidence.append({"id": b.name("E"), "night": rng.randrange(0, len(b.nights)), "form": "garbage", "signer": "apple",
                       "signed": b.start, "environment": "", "bundle_id": "", "txs": [], "renewals": [],
                       "wrap": rng.choice([None, {"source": "client"}]), "text": rng.choice(["not evidence", "{}", "a.b.c", "MIIB"])})


SCENES = [(scene_plain, 8), (scene_quantity, 2), (scene_not_delivered, 3), (scene_lost_order, 3), (scene_lost_charge, 3),
          (scene_disagree, 2), (scene_currency, 1), (scene_off_catalogue, 1), (scene_retry, 2), (scene_refund, 6),
          (scene_refund_ours, 1), (scene_refund_no_order, 1), (scene_double, 2), (scene_replay, 3), (scene_not_yours, 1),
          (scene_hoard, 2), (scene_restore, 2), (scene_subscription, 8), (scene_family, 3), (scene_sandbox, 3),
          (scene_sandbox_both, 1), (scene_forged, 3), (scene_hostile, 2), (scene_foreign, 2), (scene_app_id, 1),
          (scene_conflict, 1), (scene_paid_twice, 1), (scene_device, 2), (scene_twins, 2), (scene_replaced_token, 2),
          (scene_shared_token, 1), (scene_wrong_product, 1), (scene_unsigned, 1), (scene_two_names, 1), (scene_ask_to_buy, 1),
          (scene_entitlement, 1), (scene_resubscribe, 1), (scene_noise, 1), (scene_history, 4),
          (scene_hash, 3), (scene_two_accounts, 1), (scene_conflict_more, 1)]


def scene_delivered_later(b, rng):
    """An order whose claim is refused while it is only paid; it is delivered nights later. Where people decide, they dismiss its first
    break (`wish`)."""
    kind = rng.choice(["replay", "twice", "stranger", "late", "product", "nothing"])
    owner, user = b.user("user", fresh=True), b.user(rng.choice(["none", "user"]), fresh=True)
    bought = b.nights[0] - rng.randrange(32, 60) * HOUR
    product, created = "coins60", bought + rng.randrange(10, 90) * MINUTE
    if kind == "late":
        bought -= rng.randrange(9, 30) * DAY
    whose = {"replay": owner, "stranger": owner, "twice": user}.get(kind)
    purchase = b.buy(product, bought, whose["token"] if whose else None)
    named = purchase.tid
    if kind in ("replay", "twice"):
        b.order(whose, product, bought - 90, "delivered", transaction_id=named)
        b.orders[-1]["night"] = 0
    order = b.order(user, "coins648" if kind == "product" else product, created, "paid", transaction_id=named)
    order["row"].pop("app_account_token", None)
    b.orders[-1]["night"] = 0
    if kind != "nothing":
        b.add_evidence("jws", bought + 60, [purchase], 0, wrap=b.upload(whose or user))
    at = b.nights[0] + rng.randrange(2, 20) * HOUR
    b.update(order, at, late=0, status="delivered", delivered_at=at)
    b.wish.append(order["row"]["order_id"])


def scene_owner_stays(b, rng):
    """A subscription whose second period carries another user's token, on a notice of Apple's or an upload: it remains the first's."""
    one, two = b.user("user", fresh=True), b.user("user", fresh=True)
    bought = b.start - rng.randrange(1, 6) * DAY
    order, purchase = _one_time(b, one, "vip.week", bought)
    b.spread(purchase, one, order, ways=["jws"], claim=0)
    following = _renewal(b, purchase, appAccountToken=two["token"])
    if following.bought > b.nights[-1] - 3 * HOUR:
        return
    b.spread(following, rng.choice([one, two]), ways=rng.choice([["notification"], ["jws"], ["history"]]), claim=0,
             renewals=[_info(following, following.bought + 60)])
    if b.chance(0.3):
        at = following.bought + rng.randrange(HOUR, 2 * DAY)
        following.change(at, revocationDate=at, revocationReason=0, revocationType="REFUND_FULL", revocationPercentage=100000)
        b.notify("REFUND", following, at + 5, b.arrival(at + 5))
    elif b.chance(0.3):                     # booked for its owner
        b.order(dict(one, mode="none"), "vip.week", following.bought + rng.randrange(1, 12) * HOUR, "delivered",
                web_order_line_item_id=following.fields["webOrderLineItemId"], entitlement_expires_at=following.ends)


def scene_new_words(b, rng):
    """Apple says a word that nobody knows yet: a type of notification, or a value in a signed transaction."""
    user = b.user("user", fresh=True)
    order, purchase = _one_time(b, user, "coins60")
    at = purchase.bought + 60
    if b.chance(0.5):
        b.notify("CHARGE_REVIEWED", purchase, at, b.arrival(at), strange="CHARGE_REVIEWED")
    else:
        purchase.fields["transactionReason"] = "GRANTED"
        b.add_evidence("jws", at, [purchase], b.arrival(at), wrap=b.upload(user), strange="GRANTED")


def scene_legacy(b, rng):
    """An app on StoreKit 1: its receipt is uploaded once, and verifyReceipt states all later events."""
    user = b.user(fresh=True)
    product = rng.choice(["vip.week", "vip.week", "vip.month", "lifetime"])
    days = PRODUCTS[product][4]
    bought = b.start - rng.randrange(0, 2 * (days or 1)) * DAY + rng.randrange(0, DAY)
    order = b.order(user, product, bought - 60, "delivered")
    purchase = b.buy(product, bought, b.token_for(user, order))
    if days:
        order["row"]["entitlement_expires_at"] = purchase.ends
    if b.chance(0.5):
        order["row"]["transaction_id"] = purchase.tid
    rows = [purchase]
    while days and rows[-1].ends < b.nights[-1] - 3 * HOUR and b.chance(0.85):
        rows.append(_renewal(b, rows[-1], transactionReason="RENEWAL"))
    for renewal in rows[1:]:                        # booked on time, late by the transaction, or never
        how = rng.choice(["chain", "named", "never"])
        created = renewal.bought + rng.randrange(5, 300) * MINUTE
        if how != "never" and b.night_of(created) is not None:
            b.order(dict(user, mode="none"), product, created, "delivered", entitlement_expires_at=renewal.ends,
                    original_transaction_id=purchase.tid,
                    transaction_id=renewal.tid if how == "named" else None)
    if b.chance(0.25):
        last = rows[-1]
        at = last.bought + rng.randrange(HOUR, 2 * DAY)
        last.refund(at)
    stays = 1 if b.chance(0.7) else 0
    signed = bought + rng.randrange(60, 600)
    item = b.add_evidence("receipt", signed, [purchase], b.arrival(signed), wrap=b.upload(user, order if b.chance(0.2) else None))
    if item:
        def info(at):
            seen = [p for p in rows if p.bought <= at]
            return _info(seen[-1], at, autoRenewStatus=stays, renewalDate=None,
                         expirationIntent=1 if not stays and seen[-1].ends <= at else None)
        b.legacy[item["id"]] = (rows, info if days else None)


MORE = [(scene_delivered_later, 5), (scene_owner_stays, 4), (scene_new_words, 1)]
MORE_FROM = 2000000          # worlds of smaller numbers stay as they always were
ANSWERS = [(scene_legacy, 12)]
ANSWERS_FROM = 3000000       # as do those of smaller ones than these


def scene_called_off(b, rng):
    """A cart, or an order that was cancelled, names the purchase; so does the retry, which was delivered."""
    user = b.user(fresh=True)
    product = rng.choice(ONE_TIME)
    bought = b.moment(room=DAY)
    purchase = b.buy(product, bought)
    tid = purchase.tid
    name = rng.choice(["transaction_id", "original_transaction_id"])
    fates = [rng.choice(["created", "cancelled", "called off", "paid", "delivered"]), "delivered"]
    if b.chance(0.3):
        rng.shuffle(fates)
    saved, user["mode"] = user["mode"], "none"
    created = bought - rng.randrange(60, 240)
    for fate in fates:
        paid = created + 30
        order = b.order(user, product, created, "cancelled" if fate == "called off" else fate, **{name: tid},
                        paid_at=paid if fate in ("called off", "paid", "delivered") else None)
        created += rng.randrange(120, 2 * HOUR) if b.chance(0.8) else rng.randrange(8, 12) * DAY
    user["mode"] = saved
    b.spread(purchase, user, order, claim=0)


def scene_first_named(b, rng):
    """Every order of a subscription names its first transaction."""
    user = b.user(rng.choice(["user", "none", "order"]), fresh=True)
    product = rng.choice(["vip.week", "vip.week", "vip.month"])
    days = PRODUCTS[product][4]
    purchase = b.buy(product, b.start - rng.randrange(0, 3 * days) * DAY + rng.randrange(0, DAY), user["token"])
    names = {"transaction_id": purchase.tid}
    if b.chance(0.4):
        names["original_transaction_id"] = purchase.tid
    periods = [purchase]
    while periods[-1].ends < b.nights[-1] - 3 * HOUR and len(periods) < 5:
        periods.append(_renewal(b, periods[-1]))
    known = periods[1:] if len(periods) > 2 and b.chance(0.15) else periods
    saved, user["mode"] = user["mode"], "none"
    for number, period in enumerate(periods):
        created = period.bought + (rng.randrange(20, 600) * MINUTE if number else -90)
        if b.night_of(created) is not None and not b.chance(0.12):
            b.order(user, product, created, rng.choice(["delivered", "delivered", "paid"]), entitlement_expires_at=period.ends, **names)
        if b.chance(0.1) and number and b.night_of(created + HOUR) is not None:
            b.order(user, product, created + HOUR, "delivered", entitlement_expires_at=period.ends, **names)
    user["mode"] = saved
    for period in known:
        b.spread(period, user, ways=rng.choice([["notification"], ["jws"], ["history"]]), claim=0, lost=0.06,
                 renewals=[_info(period, period.bought + 60)])


def scene_old_id(b, rng):
    """The order of a new product still names the id of the purchase before."""
    user = b.user(rng.choice(["user", "order"]), fresh=True)
    old, new = rng.sample(["coins60", "coins648", "lifetime", "season90"], 2)
    first, bought = _one_time(b, user, old, b.moment(room=3 * DAY))
    b.spread(bought, user, first, ways=["jws"], claim=0)
    again = bought.bought + rng.randrange(HOUR, 2 * DAY)
    order = b.order(user, new, again - 60, "delivered", transaction_id=bought.tid)
    purchase = b.buy(new, again, b.token_for(user, order) if b.chance(0.8) else None)
    b.spread(purchase, user, order, ways=["jws"], claim=0)


def scene_family_copy(b, rng):
    """The family's copy carries the token of the purchase that somebody paid."""
    user = b.user("user", fresh=True)
    order, purchase = _one_time(b, user, "lifetime")
    _unname(order)
    shared = b.share("lifetime", purchase.bought + rng.randrange(-50, 200), user["token"])
    b.spread(purchase, user, order, ways=["jws"], claim=0)
    b.spread(shared, user, ways=["notification"], claim=0)


DECISIONS = [(scene_called_off, 8), (scene_first_named, 8), (scene_old_id, 4), (scene_family_copy, 3)]
DECISIONS_FROM = 4000000     # and from here on apps have start dates, and some evidence is read before Apple signs it


def dated(b):
    """Start dates of apps, and evidence that is ingested before the instant at which Apple signs it."""
    if b.chance(0.35):
        starts = {bundle: b.start + b.rng.randrange(-4, 8) * DAY for bundle in (READER, KIDS) if b.chance(0.7)}
        for settings in b.settings:
            settings["starts"] = starts
    twice = {item["same"] for item in b.evidence if "same" in item}
    for item in b.evidence:
        ahead = [k for k, night in enumerate(b.nights) if night < item["signed"]]
        if ahead and item["form"] in ("jws", "notification", "history") and "same" not in item and item["id"] not in twice and b.chance(0.08):
            item["night"] = b.rng.choice(ahead)


def generate(seed, changing=True, size=1):
    """The world of a number. One world in eight changes its roots between nights, one in eight its list of apps. `size`: so many
    times the scenes."""
    kind = seed % 8 if changing else 7
    b = Builder(seed, roots_change=kind == 0, apps_change=kind == 1)
    scenes = SCENES + (MORE if seed >= MORE_FROM else []) + (ANSWERS if seed >= ANSWERS_FROM else []) \
        + (DECISIONS if seed >= DECISIONS_FROM else [])
    names, weights = [s for s, _ in scenes], [w for _, w in scenes]
    story = []
    for scene in b.rng.choices(names, weights, k=size * b.rng.choice([4, 8, 12, 16, 20])):
        scene(b, b.rng)
        story.append(scene.__name__[6:])
    if seed >= DECISIONS_FROM:
        dated(b)
    b.rng.shuffle(b.evidence)
    made = b.world()
    made["story"] = story
    return made


# --- from a world to files ------------------------------------------------------------------------------------------

PKI = {}


def pki(name):
    if name not in PKI:
        PKI[name] = signing.Pki(name)
    return PKI[name]


def _ms(payload):
    return {k: v * 1000 if k.endswith("Date") and isinstance(v, int) else v for k, v in payload.items()}


def payload_of(item, tx):
    return _ms(dict(tx, signedDate=item["signed"]))


def receipt_rows(item):
    """What the rows of an app receipt can say of the item's purchases."""
    rows = []
    for tx in item["txs"]:
        kind = next(k for k, v in TYPE_NAME.items() if v == tx["type"])
        row = {"quantity": tx["quantity"], "product_id": tx["productId"], "transaction_id": tx["transactionId"],
               "original_transaction_id": tx["originalTransactionId"], "purchase_date": rfc(tx["purchaseDate"]),
               "original_purchase_date": rfc(tx["originalPurchaseDate"]), "product_type": RECEIPT_TYPE[kind]}
        if "expiresDate" in tx:
            row["expires_date"] = rfc(tx["expiresDate"])
        if "webOrderLineItemId" in tx:
            row["web_order_line_item_id"] = tx["webOrderLineItemId"]
        if "revocationDate" in tx and kind != CONSUMABLE:
            row["cancellation_date"] = rfc(tx["revocationDate"])
        rows.append(row)
    return rows


def render(item):
    """The bytes of an item, and the text of every signed thing inside it (for their hashes)."""
    sign = pki(item["signer"])
    parts = []

    def jws(payload):
        text = sign.jws(payload)
        parts.append(text)
        return text

    form = item["form"]
    if form == "garbage":
        return item["text"].encode(), []
    if form == "jws":
        raw = jws(payload_of(item, item["txs"][0]))
    elif form in ("notification", "missed"):
        data = {"bundleId": item["bundle_id"], "bundleVersion": "5.2.0", "environment": item["environment"],
                "signedTransactionInfo": jws(payload_of(item, item["txs"][0]))}
        if item["environment"] == "Production":
            data["appAppleId"] = item["apple_id"]
        if item["renewals"]:
            data["signedRenewalInfo"] = jws(_ms(item["renewals"][0]))
        if item.get("status"):
            data["status"] = item["status"]
        body = {"notificationType": item["type"], "notificationUUID": item["uuid"], "version": "2.0",
                "signedDate": item["signed"] * 1000, "data": data}
        if item.get("subtype"):
            body["subtype"] = item["subtype"]
        raw = json.dumps({"signedPayload": jws(body)})
        if form == "missed":             # Apple's list of notifications whose delivery failed
            raw = json.dumps({"hasMore": False, "notificationHistory": [{**json.loads(raw), "sendAttempts": [
                {"attemptDate": item["signed"] * 1000, "sendAttemptResult": "NO_RESPONSE"}]}]})
    elif form == "history":
        raw = json.dumps({"revision": f"{item['signed']}_{item['id']}", "bundleId": item["bundle_id"], "appAppleId": item["apple_id"],
                          "environment": item["environment"], "hasMore": False,
                          "signedTransactions": [jws(payload_of(item, tx)) for tx in item["txs"]]})
    elif form == "status":
        last = [{"status": item["status"], "originalTransactionId": tx["originalTransactionId"],
                 "signedTransactionInfo": jws(payload_of(item, tx)), "signedRenewalInfo": jws(_ms(info))}
                for tx, info in zip(item["txs"], item["renewals"])]
        raw = json.dumps({"environment": item["environment"], "bundleId": item["bundle_id"], "appAppleId": item["apple_id"],
                          "data": [{"subscriptionGroupIdentifier": GROUP, "lastTransactions": last}]})
    elif form == "receipt":
        kind = "Production" if item["environment"] == "Production" else "ProductionSandbox"
        apple_id = item["apple_id"] if item["environment"] == "Production" else 0
        der = sign.receipt(signing.receipt_content(kind, item["bundle_id"], apple_id, rfc(item["signed"]), receipt_rows(item)))
        if item.get("der") and not item["wrap"]:
            return der, []
        raw = base64.b64encode(der).decode()
    elif form == "verify":
        raw = json.dumps({"status": 0, "environment": item["environment"], "receipt": {
            "receipt_type": item["environment"], "bundle_id": item["bundle_id"], "adam_id": item["apple_id"],
            "receipt_creation_date_ms": str(item["signed"] * 1000), "in_app": [answer_row(row) for row in receipt_rows(item)]}})
    elif form == "answer":
        raw = json.dumps(answer_of(item))
    else:
        raise ValueError(form)
    return raw.encode(), parts


def answer_row(row):
    """A receipt's row in the names of verifyReceipt."""
    plain = {k: str(v) for k, v in row.items() if not k.endswith("_date") and k != "product_type"}
    plain.update({k + "_ms": str(instant(v) * 1000) for k, v in row.items() if k.endswith("_date")})
    return plain


def answer_of(item):
    """The body of verifyReceipt's answer, in its own names."""
    rows = []
    for row, tx in zip(receipt_rows(item), item["txs"]):
        plain = answer_row(row)
        plain.update({k: tx[name] for k, name in (("app_account_token", "appAccountToken"), ("in_app_ownership_type", "inAppOwnershipType"))
                      if name in tx})
        if tx.get("isUpgraded"):
            plain["is_upgraded"] = "true"
        if tx.get("offerDiscountType") == "FREE_TRIAL":
            plain["is_trial_period"] = "true"
        rows.append(plain)
    kind = "Production" if item["environment"] == "Production" else "ProductionSandbox"
    body = {"status": 0, "environment": item["environment"], "receipt": {
        "receipt_type": kind, "bundle_id": item["bundle_id"], "adam_id": item["apple_id"] if kind == "Production" else 0,
        "request_date_ms": str(item["signed"] * 1000), "in_app": rows}}
    subscriptions = [r for r in rows if "expires_date_ms" in r]
    if subscriptions:
        body["latest_receipt_info"] = subscriptions
    if item["renewals"]:
        names = {"originalTransactionId": "original_transaction_id", "productId": "product_id", "autoRenewProductId": "auto_renew_product_id",
                 "autoRenewStatus": "auto_renew_status", "expirationIntent": "expiration_intent"}
        body["pending_renewal_info"] = [{names[k]: str(v) for k, v in info.items() if k in names} for info in item["renewals"]]
    return body


def sha256(raw):
    return hashlib.sha256(raw).hexdigest()
