"""Table cases: one small story each, with the sentence of the documents that decides it and the required result.

They are the scenarios of Apple's domain, the meanings that the product's description settled, and every difference met while random worlds
were compared. All cases are in one world, with separate users and ids, so that one run of the program shows them all.

Decisions of people are in cases_decisions.py, orders that reach one purchase in cases_ranks.py, users of breaks in cases_whose.py.

    python3 cases.py            checks the oracle against its own table, without the program
    python3 run.py --cases      compares the program with the oracle on the same table
"""

import sys

import attributes
import decisions
import verify_receipt
import world as worlds
from oracle import Night
from world import DAY, HOUR, MINUTE, KIDS, READER, FOREIGN, Builder, Purchase, _info, _renewal

CASES = []


def case(name, says):
    return variants((name, says))


def variants(*named):
    """Cases of one story: the name and sentence of each, and the arguments in which they differ."""
    def register(function):
        for name, says, *given in named:
            CASES.append((name, says, lambda b, given=given: function(b, *given)))
        return function
    return register


def day(text):
    return worlds.instant(f"2026-{text}Z")


class Fixed(Builder):
    """A builder without chance: three nights, 10 and 11 April and 20 May 2026."""

    def __init__(self):
        super().__init__(0)
        self.start = day("04-01T00:00:00")
        self.nights = [day("04-10T00:00:00"), day("04-11T00:00:00"), day("05-20T00:00:00")]
        self.settings = [{"apps": [READER, KIDS], "testers": [], "windows": [], "roots": ["jws.cer", "receipts.cer"]} for _ in self.nights]
        self.number = 470009000000000
        self.decisions = []

    def chance(self, p):
        return False

    def tid(self):
        self.number += 7
        return str(self.number)

    def jws(self, purchase, user=None, at=None, order=None, **more):
        at = at or purchase.bought + 30
        return self.add_evidence("jws", at, [purchase], self.night_of(at), wrap=self.upload(user, order) if user else None, **more)

    def receipt(self, purchases, user=None, at=None, order=None, **more):
        purchases = purchases if isinstance(purchases, list) else [purchases]
        at = at or purchases[-1].bought + 30
        return self.add_evidence("receipt", at, purchases, self.night_of(at), wrap=self.upload(user, order) if user else None, **more)

    def api(self, purchases, at):
        return self.add_evidence("history", at, purchases, self.night_of(at), wrap={"source": "api"})

    def notice(self, kind, purchase, at, **more):
        return self.notify(kind, purchase, at, self.night_of(at), **more)

    def renewed(self, period, user=None):
        """The next period, which Apple charges an hour before the end of this one. Apple's history reports it, or the user's client."""
        following = _renewal(self, period, bought=period.ends - HOUR)
        self.jws(following, user) if user else self.api([following], following.bought + 60)
        return following

    def refund(self, purchase, at):
        """A refund, and Apple's notice of it."""
        purchase.refund(at)
        return self.notice("REFUND", purchase, at + 5)

    def man(self, mode="user"):
        user = self.user(mode, fresh=True)
        if mode in ("order", "none"):
            self.list_user(user, 0)
        return user

    def named(self, user, purchase, after, fate="delivered", product=None, **more):
        """An order that names a purchase by its transaction, so long after it."""
        return self.order(user, product or purchase.fields["productId"], purchase.bought + after, fate, transaction_id=purchase.tid, **more)

    def reversal(self, purchase, at):
        """Apple takes a refund back, and says so."""
        purchase.change(at, revocationDate=None, revocationReason=None)
        return self.notice("REFUND_REVERSED", purchase, at + 5)

    def token_changes(self, user, night):
        """Gives a user another token in a night, and returns the old one."""
        old, user["token"] = user["token"], self.uuid()
        self.list_user(user, night, user["token"])
        return old

    def list_user(self, user, night, token=""):
        """Adds a row to the users file of a night."""
        self.users.append({"night": night, "row": {"user_id": user["user_id"], "app_account_token": token, "is_tester": "false"}})

    # --- decisions of people

    def act(self, night, act, by="ann", second=None, **more):
        made = {"id": f"X{len(self.decisions) + 1}", "night": night, "act": act, "by": by, "second": second, **more}
        self.decisions.append(made)
        return made["id"]

    def pair(self, act, o, p, night=0, second="ben"):
        f = p.fields
        return self.act(night, act, second=second, order=o["row"]["order_id"], charge=[f["environment"], f["bundleId"], f["transactionId"]])

    def on_break(self, act, classes, o=None, p=None, night=0, second=None, until=None):
        subject = {"classes": classes.split(), "order": o["row"]["order_id"] if o else None, "charges": [p.tid] if p else None}
        return self.act(night, act, second=second, subject=subject, until=until)

    def undo(self, of, night=1, by="eve", second=None):
        return self.act(night, "undo", by=by, second=second, of=of)

    # --- sales

    def sale(self, user, product="coins60", at="04-05T10:00:00", fate="delivered", reported=True, **more):
        """An order and, a minute later, its purchase."""
        bought = day(at) if isinstance(at, str) else at
        order = self.order(user, product, bought - MINUTE, fate, **more)
        purchase = self.buy(product, bought, self.token_for(user, order))
        if reported:
            self.jws(purchase, user)
        return order, purchase


# --- what Apple does ----------------------------------------------------------------------------------------------

@case("T01 token", "exactly one open order carries the charge's token with that product")
def _(b):
    o, p = b.sale(b.man("user"))
    return [("match", o, p, "M2"), ("quiet", o, p)]


@case("T02 lost name, single candidate", "same user (by ... who uploaded the evidence ...): exactly one candidate in both directions")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, fate="paid", reported=False)
    b.receipt(p, u)
    return [("match", o, p, "M6")]


@case("T03 lost name, two accounts on the device", "candidates are looked for across all users seen on that device")
def _(b):
    one, two = b.man("none"), b.man("none")
    two["device"] = one["device"]
    at = day("04-05T10:00:00")
    o1, o2 = b.order(one, "coins60", at - 2 * MINUTE, "paid"), b.order(two, "coins60", at - MINUTE, "paid")
    p = b.buy("coins60", at)
    b.receipt(p, two)
    return [("no match", o1), ("no match", o2), ("break", "AMBIGUOUS_MATCH", None, p)]


@case("T04 bought in the App Store", "genuine Production charge, no order after the grace time")
def _(b):
    p = b.buy("lifetime", day("04-05T10:00:00"))
    b.notice("ONE_TIME_CHARGE", p, p.bought + 9)
    return [("break", "TX_NO_ORDER", None, p)]


@case("found without a charge, then delivered", "order paid or delivered, no genuine charge after the grace time")
def _(b):
    o = b.order(b.man("none"), "coins60", day("04-08T10:00:00"), "paid")
    b.update(o, day("04-10T06:00:00"), status="delivered", delivered_at=day("04-10T06:00:00"))
    found = ("break", "ORDER_NO_TX", o, None)
    return [("on", 0, found), ("on", 1, found), found]


@case("T05 one purchase in two receipts", "never receipt or JWS bytes")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, reported=False)
    b.receipt(p, u), b.receipt(p, u, p.bought + HOUR)
    return [("match", o, p, "M6"), ("quiet", o, p)]


@case("T06 replay by another user", "one charge claimed by orders of different users")
def _(b):
    u, thief = b.man("user"), b.man("user")
    o, p = b.sale(u)
    o2 = b.order(thief, "coins60", p.bought + HOUR, "delivered")
    b.jws(p, thief, p.bought + HOUR, o2)
    return [("match", o, p, "M2"), ("break", "REPLAY_MULTI_USER", o2, None), ("no match", o2)]


@case("T06 a third user claims what one user's two orders name", "DUP_DELIVERY: one charge delivered more than once to one user")
def _(b):
    u, thief = b.man("user"), b.man("user")
    at = day("04-05T10:00:00")
    p = b.buy("coins60", at, b.token_for(u, None))
    b.jws(p, u)
    name = {"transaction_id": p.tid}
    o = b.order(u, "coins60", at - MINUTE, "delivered", **name)
    again = b.order(u, "coins60", at + MINUTE, "delivered", **name)
    o2 = b.order(thief, "coins60", at + HOUR, "delivered", **name)
    return [("match", o, p, "M1"), ("break", "DUP_DELIVERY", again, None), ("break", "REPLAY_MULTI_USER", o2, None)]


@case("T07 restored on a new device", "Every transaction id ever seen is an alias of its charge")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "lifetime")
    again = Purchase(dict(p.fields, transactionId=b.tid(), purchaseDate=p.bought + 30 * DAY))
    b.receipt(again, u, p.bought + 30 * DAY + 60)
    return [("match", o, p, "M2"), ("quiet", o, p), ("charge", p, "tids", {p.tid, again.tid})]


@case("T08 a period told by two devices", "auto-renewable, Production: original_transaction_id, web_order_line_item_id")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "vip.month", "04-02T10:00:00")
    r = _renewal(b, p, bought=p.ends - HOUR)
    twin = Purchase(dict(r.fields, transactionId=b.tid()))
    b.jws(r, u), b.jws(twin, u, r.bought + HOUR)
    o2 = b.order(dict(u, mode="none"), "vip.month", r.bought + 2 * HOUR, "delivered", original_transaction_id=p.tid)
    return [("match", o, p, "M2"), ("match", o2, r, "M4"), ("quiet", o2, r), ("charge", r, "tids", {r.tid, twin.tid})]


@case("T09 another id in the notification", "a refund that quotes any of them finds it")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, "vip.month", "04-05T10:00:00", reported=False)
    bare = Purchase({k: v for k, v in p.fields.items() if k != "appAccountToken"})
    b.jws(bare, u)
    twin = Purchase(dict(p.fields, transactionId=b.tid()))
    b.notice("SUBSCRIBED", twin, p.bought + 66 * MINUTE)
    b.refund(twin, p.bought + 3 * DAY)
    return [("match", o, p, "M2"), ("break", "REFUND_NOT_APPLIED", o, p)]


@case("T10 a sandbox line item used twice", "other environments: the same + purchase instant (line item ids are reused there)")
def _(b):
    u = b.man("none")
    one = b.buy("vip.month", day("04-05T10:00:00"), environment="Sandbox")
    two = Purchase(dict(one.fields, transactionId=b.tid(), purchaseDate=one.bought + 300, transactionReason="RENEWAL"))
    b.jws(one, u), b.jws(two, u)
    return [("charges", one, two), ("quiet", None, one), ("quiet", None, two)]


@case("T10 the same in Production", "Same line item with another original id, product or purchase instant in Production is ID_CONFLICT, never merged")
def _(b):
    u = b.man("none")
    one = b.buy("vip.month", day("04-05T10:00:00"))
    two = Purchase(dict(one.fields, transactionId=b.tid(), purchaseDate=one.bought + 300, transactionReason="RENEWAL"))
    b.jws(one, u), b.jws(two, u)
    return [("charges", one, two), ("break", "ID_CONFLICT", None, one)]


@case("a consumable under two ids", "A consumable whose tid differs from otid is abnormal: alias it and raise ID_CONFLICT")
def _(b):
    u = b.man("user")
    o, p = b.sale(u)
    again = Purchase(dict(p.fields, transactionId=b.tid()))
    b.jws(again, u, p.bought + HOUR)
    return [("match", o, p, "M2"), ("break", "ID_CONFLICT", None, p), ("charge", p, "tids", {p.tid, again.tid})]


@case("T11 receipt of the sister app", "genuine, but of another app; the event may still be settled there")
def _(b):
    u = b.man("none")
    at = day("04-05T10:00:00")
    o = b.order(u, "coins60", at - MINUTE, "delivered")
    p = b.buy("coins60", at, bundle=KIDS)
    b.receipt(p, u, order=o)
    return [("break", "BUNDLE_DIFF", o, None), ("break", "TX_NO_ORDER", None, p), ("no match", o)]


@case("goods taken back", "Breaks resolve by themselves when the facts do")
def _(b):
    """What each claims is another app's, another product, another user's, or of long ago."""
    out, owner, at = [], b.man("user"), day("04-15T10:00:00")
    for bought, product, token, bundle in ((at, "coins60", None, KIDS), (at, "coins648", None, READER),
                                           (at, "coins60", owner["token"], READER), (at - 10 * DAY, "coins60", None, READER)):
        p = b.buy("coins60", bought, token, bundle=bundle)
        o = b.order(b.man("none"), product, at - MINUTE, "delivered", transaction_id=p.tid)
        b.jws(p, None)
        b.update(o, at + DAY, status="revoked")
        out += [("no match", o), ("quiet", o, None), ("break", "TX_NO_ORDER", None, p)]
    return out


@case("access that we revoked and whose old end the order still states", "our `revoked` without a refund by Apple is short")
def _(b):
    out = []
    for wait, found in ((HOUR, "break"), (8 * DAY, "quiet")):
        o, p = b.sale(b.man("user"), "vip.week", "04-05T10:00:00")
        b.update(o, p.bought + wait, status="revoked", entitlement_expires_at=p.ends)
        out += [("match", o, p, None), ("break", "ENTITLEMENT_SHORT", o, p) if found == "break" else ("quiet", o, p)]
    return out


@case("carts that were cancelled before payment claim nothing", "cancelled before anything was paid or delivered, are abandoned carts: no break")
def _(b):
    o, p = b.sale(b.man("order"))
    named = {"transaction_id": p.tid}
    replay = b.order(b.man("none"), "coins60", p.bought + HOUR, "cancelled", **named)
    other = b.order(b.man("none"), "skin", p.bought + HOUR, "cancelled", **named)
    late = b.order(b.man("none"), "coins60", p.bought + 9 * DAY, "cancelled", **named)
    return [("match", o, p, None)] + [("quiet", cart, None) for cart in (replay, other, late)]


@case("cancelled after its delivery, no charge", "ORDER_NO_TX: order paid or delivered, no genuine charge after the grace time")
def _(b):
    o = b.order(b.man("none"), "coins60", day("04-05T10:00:00"), "delivered")
    b.update(o, day("04-06T10:00:00"), status="cancelled")
    return [("no match", o), ("break", "ORDER_NO_TX", o, None)]


@case("foreign bundle", "A bundle id that no app names is foreign")
def _(b):
    u = b.man("none")
    at = day("04-05T10:00:00")
    o = b.order(u, "coins60", at - MINUTE, "delivered")
    p = b.buy("coins60", at, bundle=FOREIGN)
    b.jws(p, u, order=o)
    return [("break", "BUNDLE_DIFF", o, None), ("no charge", p)]


def _sandbox_sale(b, u):
    """A sandbox purchase behind a live delivery, uploaded for the order."""
    o, p = b.sale(u, reported=False)
    p.fields["environment"] = "Sandbox"
    b.jws(p, u, order=o)
    return u, o, p


@case("T14 sandbox behind a live delivery", "transaction not of Production behind a live delivery")
def _(b):
    u, o, p = _sandbox_sale(b, b.man("order"))
    return [("break", "SANDBOX_IN_PROD", o, None), ("no match", o)]


@case("T15 review window", "testers and open review windows are listed as allowed")
def _(b):
    u, o, p = _sandbox_sale(b, b.man("order"))
    for s in b.settings:
        s["windows"].append({"from": p.bought - DAY, "to": p.bought + DAY, "users": [u["user_id"]]})
    return [("quiet", o, p)]


@case("T17 Xcode's signature", "nothing counts as money unless its signature chain ends in a configured root")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, reported=False)
    p.fields["environment"] = "Xcode"
    b.jws(p, u, order=o, signer="stranger")
    return [("break", "FORGED_SIGNATURE", o, None), ("no charge", p)]


@case("T17 an environment that nobody knows", "transaction not of Production behind a live delivery; UNRECOGNIZED_VALUE")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, reported=False)
    p.fields["environment"] = "Staging"
    b.jws(p, u, order=o, strange="Staging")
    return [("break", "SANDBOX_IN_PROD", o, None), ("no charge", p), ("break", "UNRECOGNIZED_VALUE", None, None)]


@case("T20 unsorted periods", "Access ends with the newest of expiry ... of rows that were not superseded (upgraded, revoked)")
def _(b):
    u = b.man("none")
    one = b.buy("vip.month", day("04-02T10:00:00"))
    two, three = _renewal(b, one), None
    three = _renewal(b, two, bought=day("05-19T10:00:00"))
    three.refund(three.bought + HOUR)
    b.receipt([one, three, two], u, three.bought + 2 * HOUR)
    return [("ends", one, two.ends), ("charge", three, "state", "refunded")]


@case("T21 upgrade", "two events, no refund booked, no duplicate")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "vip.month", "04-25T10:00:00")
    at = p.bought + 10 * DAY
    up = _renewal(b, p, "svip.month", at, transactionReason="PURCHASE")
    p.change(at, isUpgraded=True)
    o2 = b.order(u, "svip.month", at - MINUTE, "delivered", entitlement_expires_at=up.ends)
    b.notice("DID_CHANGE_RENEWAL_PREF", up, at + 5, subtype="UPGRADE", renewals=[_info(up, at + 5)])
    b.api([p, up], at + HOUR)
    return [("match", o, p, "M2"), ("match", o2, up, "M2"), ("charge", p, "state", "charged"), ("quiet", o, p), ("quiet", o2, up), ("status", p, "active")]


@case("T27 an older message after the refund", "a function of the set of its observations, never of their order")
def _(b):
    o, p = b.sale(b.man("user"), reported=False)
    b.refund(p, p.bought + DAY)
    late = b.notice("ONE_TIME_CHARGE", p, p.bought + 5)
    late["night"] = 2
    return [("charge", p, "state", "refunded"), ("break", "REFUND_NOT_APPLIED", o, p)]


@case("a revocation told anew with another instant", "Lifecycle classes count their grace time from Apple's instant")
def _(b):
    out = []
    for reverses in (False, True):
        o, p = b.sale(b.man("order"))
        first, again = p.bought + 3 * DAY, day("04-10T12:00:00")
        b.refund(p, first)
        if reverses:
            b.reversal(p, first + DAY)
        b.refund(p, again)
        out += [("on", 1, ("quiet", o, p) if reverses else ("break", "REFUND_NOT_APPLIED", o, p)), ("break", "REFUND_NOT_APPLIED", o, p)]
    return out


@case("a delivery that was called off before Apple refunded it", "REFUND_NOT_APPLIED: refund on one side only")
def _(b):
    sales = [b.sale(b.man("user"), fate=fate) for fate in ("delivered", "paid")]
    for o, p in sales:
        b.update(o, p.bought + HOUR, status="cancelled")
        b.refund(p, p.bought + DAY)
    (given, first), (kept, second) = sales
    return [("break", "REFUND_NOT_APPLIED", given, first), ("quiet", kept, second)]


@case("T28 refund before the claim", "A refund that quotes any of them finds it")
def _(b):
    o, p = b.sale(b.man("order"), fate="paid", reported=False)
    b.refund(p, p.bought + 2 * HOUR)
    b.update(o, p.bought + 3 * HOUR, status="refunded", refunded_at=p.bought + 3 * HOUR)
    return [("match", o, p, "M2"), ("quiet", o, p)]


@variants(("T29 refund reversed, we did not restore", "REFUND_REVERSED_NOT_APPLIED: reversal on one side only", False),
          ("T29 refund reversed and restored", "Breaks resolve by themselves when the facts do", True))
def _(b, restores):
    o, p = b.sale(b.man("user"))
    b.refund(p, p.bought + DAY)
    b.update(o, p.bought + DAY + HOUR, status="refunded", refunded_at=p.bought + DAY + HOUR)
    b.reversal(p, p.bought + 3 * DAY)
    if restores:
        b.update(o, p.bought + 4 * DAY, status="delivered", refunded_at=None)
        return [("quiet", o, p)]
    return [("charge", p, "state", "charged"), ("break", "REFUND_REVERSED_NOT_APPLIED", o, p)]


@case("refund reversed and restored, and the order keeps its instant", "REFUND_REVERSED_NOT_APPLIED: reversal on one side only")
def _(b):
    sales = [b.sale(b.man("user")) for _ in range(3)]
    for (o, p), booked, status in zip(sales, (DAY + HOUR, DAY + HOUR, 4 * DAY), ("refunded", "delivered", "delivered")):
        b.refund(p, p.bought + DAY)
        b.update(o, p.bought + booked, refunded_at=p.bought + booked, status=status)
        b.reversal(p, p.bought + 2 * DAY)
    (restored, first), *others = sales
    b.update(restored, first.bought + 3 * DAY, status="delivered")
    return [("quiet", restored, first)] + [("break", "REFUND_REVERSED_NOT_APPLIED", o, p) for o, p in others]


@variants(("T30 partial refund", "18 x 33.333% rounded to currency: 6.00", 18000, "CNY", 33333, 6000),
          ("T30 partial refund in yen", "JPY has no decimals", 480000, "JPY", 66667, 320000))
def _(b, price, currency, percentage, refunded):
    u = b.man("user")
    at = day("04-05T10:00:00")
    o = b.order(u, "coins60", at - MINUTE, "delivered", quantity=3, price_milliunits=price, currency=currency)
    p = b.buy("coins60", at, u["token"], quantity=3, currency=currency)
    p.change(at + DAY, revocationDate=at + DAY, revocationReason=0, revocationType="REFUND_PRORATED", revocationPercentage=percentage)
    b.jws(p, u), b.notice("REFUND", p, at + DAY + 5)
    return [("charge", p, "state", "partly_refunded"), ("charge", p, "refunded", refunded)]


@case("T31 refund of a past period", "Refund of a PAST period leaves the subscription status Active")
def _(b):
    o, p = b.sale(b.man("user"), "vip.month", "04-05T10:00:00")
    r = _renewal(b, p)
    b.notice("DID_RENEW", r, r.bought + 5, renewals=[_info(r, r.bought + 5)])
    b.refund(p, r.bought + DAY)
    b.update(o, r.bought + DAY + HOUR, status="refunded", refunded_at=r.bought + DAY + HOUR)
    return [("charge", p, "state", "refunded"), ("charge", r, "state", "charged"), ("break", "RENEWAL_NO_ORDER", None, r)]


@case("T32 family members", "FAMILY_SHARED transactions grant access, carry no money, are never duplicates")
def _(b):
    owner, member = b.man("user"), b.man("none")
    o, p = b.sale(owner, "svip.month", "05-01T10:00:00")
    made = []
    for _ in range(2):
        s = b.share("svip.month", p.bought)
        b.notice("SUBSCRIBED", s, p.bought + HOUR)
        made.append(s)
    return [("match", o, p, "M2")] + [x for s in made for x in (("charge", s, "state", "family"), ("quiet", None, s))]


@case("T33 cheaper product", "A refused claim gives the order the class that says why; a genuine charge left without order stays TX_NO_ORDER")
def _(b):
    u = b.man("user")
    at = day("04-05T10:00:00")
    p = b.buy("coins60", at, u["token"])
    o = b.order(u, "coins648", at - MINUTE, "delivered", transaction_id=p.tid)
    b.jws(p, u)
    return [("no match", o), ("break", "PRODUCT_DIFF", o, None), ("break", "TX_NO_ORDER", None, p)]


@case("T33 another quantity", "matched or claimed, but the sides disagree")
def _(b):
    u = b.man("user")
    at = day("04-05T10:00:00")
    o = b.order(u, "coins60", at - MINUTE, "delivered")
    p = b.buy("coins60", at, u["token"], quantity=3)
    b.jws(p, u)
    return [("match", o, p, "M2"), ("break", "QUANTITY_DIFF", o, p)]


@case("currencies", "with different currencies only CURRENCY_DIFF is raised")
def _(b):
    o, p = b.sale(b.man("user"), currency="USD", price_milliunits=990)
    return [("match", o, p, "M2"), ("break", "CURRENCY_DIFF", o, p)]


# --- what the facts mean --------------------------------------------------------------------------------------------

@case("a later receipt undoes no refund", "neither a missing cancellation nor a missing row is a reversal")
def _(b):
    out = []
    for product in ("coins60", "lifetime"):
        u = b.man("user")
        o, p = b.sale(u, product)
        before = Purchase(dict(p.fields))
        b.refund(p, p.bought + DAY)
        b.receipt(before, u, p.bought + 3 * DAY)
        out += [("charge", p, "state", "refunded"), ("break", "REFUND_NOT_APPLIED", o, p)]
    return out


@variants(("a refund that only a receipt tells", "A field that one observation lacks and another has is kept: the price", False),
          ("refund stated by Apple, then by a receipt", "A field that one observation lacks and another has is kept: the price", True))
def _(b, by_apple):
    u = b.man("user")
    o, p = b.sale(u, "lifetime")
    p.refund(p.bought + DAY)
    if by_apple:
        b.api([p], p.bought + DAY + HOUR)
    b.receipt(p, u, p.bought + 2 * DAY)
    return [("charge", p, "state", "refunded"), ("charge", p, "refunded", 198000), ("break", "REFUND_NOT_APPLIED", o, p)]


@case("replaced token", "every token that a user ever held leads to that user")
def _(b):
    u, other = b.man("user"), b.man("user")
    p = b.buy("coins60", day("04-12T10:00:00"), b.token_changes(u, 1))
    o = b.named(other, p, -MINUTE)
    b.jws(p)
    return [("no match", o), ("break", "USER_DIFF", o, None), ("break", "TX_NO_ORDER", None, p)]


@case("the order carries the new token, the purchase the old one", "every token that a user ever held leads to that user; M6: same user (by token ...)")
def _(b):
    u = b.man("user")
    old = b.token_changes(u, 1)
    o = b.order(u, "coins60", day("04-12T10:00:00"), "delivered")
    p = b.buy("coins60", day("04-12T10:01:00"), old)
    b.jws(p)
    return [("match", o, p, "M6"), ("quiet", o, p)]


@case("shared token", "unless another user holds it too, then to nobody")
def _(b):
    u, other = b.man("user"), b.man("none")
    b.list_user(other, 2, u["token"])
    p = b.buy("coins60", day("04-12T10:00:00"), u["token"])
    o = b.order(other, "coins60", p.bought - MINUTE, "delivered", transaction_id=p.tid)
    b.jws(p)
    return [("match", o, p, "M1"), ("quiet", o, p)]


@case("renewals booked on one day", "an order that names a line item of another period is not for this one, however late it was booked")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "vip.week", "04-12T10:00:00")
    out, last = [("match", o, p, "M2")], p
    for i in range(3):
        last = _renewal(b, last)
        b.jws(last, u)
        booked = b.order(dict(u, mode="none"), "vip.week", day("05-19T10:00:00") + i * MINUTE, "delivered",
                         web_order_line_item_id=last.fields["webOrderLineItemId"])
        out += [("match", booked, last, "M3"), ("quiet", booked, None)]
    return out


@case("after an upgrade the old expiry hides nothing", "rows that were not superseded (upgraded, revoked)")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "vip.month", "05-01T10:00:00")
    up = _renewal(b, p, "vip.week", p.bought + DAY, transactionReason="PURCHASE")
    p.change(p.bought + DAY, isUpgraded=True)
    o2 = b.order(u, "vip.week", up.bought - MINUTE, "delivered", entitlement_expires_at=p.ends)
    b.notice("DID_CHANGE_RENEWAL_PREF", up, up.bought + 5, subtype="UPGRADE", renewals=[_info(up, up.bought + 5)])
    b.api([p], up.bought + HOUR)
    return [("match", o2, up, "M2"), ("break", "RENEWAL_MISSING", None, up), ("break", "ENTITLEMENT_OVERRUN", o2, up), ("ends", up, up.ends)]


@case("extension by renewalDate alone", "Access ends with the newest of expiry, grace and renewal date")
def _(b):
    o, p = b.sale(b.man("user"), "vip.month", "04-05T10:00:00")
    at = p.bought + 20 * DAY
    b.notice("RENEWAL_EXTENDED", p, at, renewals=[_info(p, at, renewalDate=p.ends + 60 * DAY)], status=1)
    return [("status", p, "active"), ("quiet", o, p)]


@variants(("back after months", "tokens per order: the second purchase is no second payment of the first order", True),
          ("back after months, the same token", "a subscription's token repeats: no second payment of the first order", False))
def _(b, is_ordered):
    u = b.man("order")
    o, p = b.sale(u, "vip.week", "04-02T10:00:00")
    b.notice("EXPIRED", p, p.ends + 60, subtype="VOLUNTARY", status=2, renewals=[_info(p, p.ends + 60, autoRenewStatus=0, expirationIntent=1)])
    at = day("05-15T10:00:00")
    o2 = b.order(u, "vip.week", at - MINUTE, "delivered") if is_ordered else o
    r = _renewal(b, p, bought=at, transactionReason="PURCHASE", appAccountToken=b.token_for(u, o2))
    r.fields["expiresDate"] = at + 7 * DAY
    b.jws(r, u)
    again = [("match", o2, r, "M2"), ("quiet", o2, r), ("status", p, "active")] if is_ordered else []
    return [("match", o, p, "M2"), ("quiet", o, p)] + again


@case("with and without a line item", "A transaction id told once with and once without a line item is one charge")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "vip.month", "05-05T10:00:00", reported=False)
    b.receipt(Purchase({k: v for k, v in p.fields.items() if k != "webOrderLineItemId"}), u)
    b.jws(p, u, p.bought + HOUR)
    return [("one charge", p), ("match", o, p, "M2"), ("quiet", o, p)]


@case("another app's Apple id", "APP_ID_DIFF: genuine, but of another app")
def _(b):
    p = b.buy("coins60", day("04-05T10:00:00"))
    b.notice("ONE_TIME_CHARGE", p, p.bought + 5, apple_id=1599999999)
    return [("no charge", p), ("class", "APP_ID_DIFF")]


HASHED = "the order carries the hash of evidence (transaction, notification, app receipt, answer) that decodes to the charge"


@variants(*((f"the hash of evidence: {form}", HASHED, form) for form in ("jws", "notification", "receipt", "history")))
def _(b, form):
    o, p = b.sale(b.man("none"), "lifetime", reported=False)
    at = p.bought + 30
    item = b.notice("ONE_TIME_CHARGE", p, at) if form == "notification" else b.add_evidence(form, at, [p], b.night_of(at), wrap={"source": "import"})
    o["row"]["evidence_of"] = item["id"]
    return [("match", o, p, "M5"), ("quiet", o, p)]


@variants(("cancelled, then paid: token", "a paid or delivered order outranks abandoned carts", "user", "M2"),
          ("cancelled, then paid: no token", "a paid or delivered order outranks abandoned carts on M2 and M6", "none", "M6"))
def _(b, mode, rung):
    u = b.man(mode)
    b.order(u, "coins60", day("04-05T09:40:00"), "cancelled")
    b.order(u, "coins60", day("04-05T09:50:00"), "created")
    o, p = b.sale(u)
    return [("match", o, p, rung), ("quiet", o, p)]


@case("a token against the chain's owner", "never against the known owner of the chain (that is USER_DIFF)")
def _(b):
    one, two = b.man("user"), b.man("user")
    o, p = b.sale(one, "vip.month", "04-25T10:00:00")
    at = p.bought + 5 * DAY
    up = _renewal(b, p, "svip.month", at, transactionReason="PURCHASE", appAccountToken=two["token"])
    o2 = b.order(two, "svip.month", at - MINUTE, "delivered")
    b.jws(up, two)
    return [("match", o, p, "M2"), ("no match", o2), ("break", "USER_DIFF", o2, None)]


@case("a token of two users' orders, on a chain whose owner a lower rung tells",
      "exactly one open order carries the charge's token ...; never against the known owner of the chain (that is USER_DIFF)")
def _(b):
    one, two = b.man("none"), b.man("none")
    at = day("04-02T10:00:00")
    p = b.buy("vip.week", at, "b7000000-0000-4000-8000-000000000007")
    o1 = b.order(one, "vip.week", at - 3 * DAY, "delivered", app_account_token=p.fields["appAccountToken"])
    o2 = b.order(two, "vip.week", at - 2 * DAY, "delivered", app_account_token=p.fields["appAccountToken"])
    next_one = _renewal(b, p, bought=p.ends - HOUR)
    b.api([p], at + 60), b.api([next_one], next_one.bought + 60)
    o3 = b.order(two, "vip.week", next_one.bought + MINUTE, "delivered", web_order_line_item_id=next_one.fields["webOrderLineItemId"])
    return [("match", o3, next_one, "M3"), ("match", o2, p, "M2"), ("break", "USER_DIFF", o1, None), ("no match", o1)]


@case("a refused duplicate", "An order refused as a duplicate does not compete for the user's next purchase")
def _(b):
    u = b.man("user")
    o, p = b.sale(u)
    o["row"]["transaction_id"] = p.tid
    again = b.order(u, "coins60", p.bought + HOUR, "delivered", transaction_id=p.tid)
    o2, p2 = b.sale(u, "coins60", p.bought + 3 * HOUR)
    return [("match", o, p, "M1"), ("break", "DUP_DELIVERY", again, None), ("match", o2, p2, None), ("quiet", o2, p2)]


@case("money on family access", "an order that booked money on one is AMOUNT_DIFF")
def _(b):
    u = b.man("none")
    at = day("04-05T10:00:00")
    p = b.share("lifetime", at)
    o = b.order(u, "lifetime", at + MINUTE, "delivered", transaction_id=p.tid)
    b.jws(p, u)
    return [("match", o, p, "M1"), ("break", "AMOUNT_DIFF", o, p)]


@case("a cart on family access", "orders that are only created are abandoned carts: no break; a family's copy carries no money")
def _(b):
    u = b.man("none")
    at = day("04-05T10:00:00")
    p = b.share("lifetime", at)
    o = b.order(u, "lifetime", at - MINUTE, "created", transaction_id=p.tid)
    b.jws(p, u)
    return [("match", o, p, "M1"), ("quiet", o, p)]


@case("not shareable", "FAMILY_NOT_SHAREABLE: against the catalogue")
def _(b):
    u = b.man("none")
    p = b.share("skin", day("04-05T10:00:00"))
    b.jws(p, u)
    return [("break", "FAMILY_NOT_SHAREABLE", None, p)]


@case("not shareable, and the access has ended", "Breaks resolve by themselves when the facts do")
def _(b):
    u = b.man("none")
    p = b.share("vip.month", day("04-05T10:00:00"))
    ours = b.order(u, "vip.month", p.bought - MINUTE, "delivered", transaction_id=p.fields["transactionId"], price_milliunits=0,
                   entitlement_expires_at=p.bought + DAY)
    b.jws(p, u)
    q = b.share("vip.month", day("04-05T11:00:00"))
    b.jws(q, u), q.refund(day("04-09T11:00:00")), b.notice("REVOKE", q, day("04-11T11:00:00"))
    shared = ("break", "FAMILY_NOT_SHAREABLE", None, q)
    return [("break", "FAMILY_NOT_SHAREABLE", None, p), ("quiet", ours, None), ("on", 1, shared), ("quiet", None, q)]


@case("a hostile post", "evidence that is not genuine concerns an order only when our own upload ties it to that order or user")
def _(b):
    out = []
    other = b.man("none")
    for wrap in ({"source": "notification"}, None, b.upload(other)):
        o, p = b.sale(b.man("order"), reported=False)
        o["row"]["transaction_id"] = p.tid
        b.add_evidence("jws", p.bought + 60, [p], 0, wrap=wrap, signer="stranger")
        out += [("break", "ORDER_NO_TX", o, None), ("no charge", p)]
    return out


@case("a hostile refund", "nothing counts unless its signature chain ends in a configured root")
def _(b):
    o, p = b.sale(b.man("order"))
    false = Purchase(dict(p.fields, revocationDate=p.bought + HOUR, revocationReason=0))
    b.notify("REFUND", false, p.bought + HOUR, 0, signer="stranger")
    return [("charge", p, "state", "charged"), ("match", o, p, "M2"), ("quiet", o, p)]


@case("a forged upload", "our own upload ties it to that order")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, reported=False)
    b.receipt(p, u, order=o, signer="stranger")
    return [("break", "FORGED_SIGNATURE", o, None), ("no charge", p)]


@case("a forged copy of what another user bought and this one's order names", "one charge claimed by orders of different users")
def _(b):
    o, p = b.sale(b.man("order"))
    u2 = b.man("none")
    o2 = b.order(u2, "coins60", p.bought - 60, "delivered", transaction_id=p.tid)
    b.receipt(p, u2, order=o2, signer="stranger")
    return [("match", o, p, "M2"), ("break", "REPLAY_MULTI_USER", o2, None), ("no match", o2)]


@case("a late order of the period before, and the user's token on every renewal",
      "an order that names a line item or transaction of another period is not for this one, however late it was booked")
def _(b):
    u = b.man("user")
    one = b.buy("vip.week", day("04-05T10:00:00"), u["token"])
    two = _renewal(b, one)
    three = _renewal(b, two, bought=two.bought + 20 * HOUR)
    for p in (one, two, three):
        b.jws(p, u)
    o = b.order(dict(u, mode="none"), "vip.week", two.bought + HOUR, "delivered",
                web_order_line_item_id=two.fields["webOrderLineItemId"])
    return [("match", o, two, "M3")]


@case("a renewal booked late that its evidence names",
      "an order that names a line item or transaction of another period is not for this one, however late it was booked")
def _(b):
    out = []
    for way in ("hash", "upload"):
        u = b.man("implicit")
        o, p = b.sale(u, "vip.week", "04-12T10:00:00")
        one = _renewal(b, p)
        two = _renewal(b, one)
        late = b.order(dict(u, mode="none"), "vip.week", two.bought + HOUR, "delivered")
        shown = b.jws(one, u, late["row"]["created_at"] + 30, order=late if way == "upload" else None)
        if way == "hash":
            late["row"]["evidence_of"] = shown["id"]
        b.jws(two)
        out += [("match", o, p, None), ("match", late, one, "M5"), ("quiet", late, one), ("break", "RENEWAL_NO_ORDER", None, two)]
    return out


@case("a renewal order that names a transaction which no evidence shows", "a renewal order of that user for that period")
def _(b):
    u = b.man("implicit")
    o, p = b.sale(u, "vip.week", "04-12T10:00:00")
    one = _renewal(b, p)
    b.jws(one)
    renewed = b.order(dict(u, mode="none"), "vip.week", one.bought + 40, "delivered", transaction_id="470008999999999")
    return [("match", o, p, None), ("match", renewed, one, "M4"), ("quiet", renewed, one)]


@case("orders of two users carry one token", "more than one candidate: AMBIGUOUS_MATCH with ranked candidates")
def _(b):
    one, two = b.man("none"), b.man("none")
    at = day("04-05T10:00:00")
    o1, o2 = (b.order(u, "coins60", at - MINUTE, "delivered", app_account_token="00000003-1111-4222-8333-444455556666") for u in (one, two))
    p = b.buy("coins60", at, o1["row"]["app_account_token"])
    b.jws(p)
    return [("no match", o1), ("no match", o2), ("break", "AMBIGUOUS_MATCH", None, p), ("quiet", o1, None), ("quiet", o2, None)]


@case("an unsigned answer", "nothing counts as money unless ... or Apple's server said so over TLS")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, reported=False)
    b.add_evidence("verify", p.bought + 60, [p], 0, wrap=b.upload(u, o))
    return [("no charge", p), ("break", "ORDER_NO_TX", o, None)]


@case("a hoarded receipt", "purchased long before the order that claims it")
def _(b):
    u = b.man("none")
    p = b.buy("coins60", day("03-05T10:00:00"))
    o = b.order(u, "coins60", day("04-05T10:00:00"), "delivered", transaction_id=p.tid)
    b.jws(p, u)
    return [("no match", o), ("break", "LATE_VERIFICATION", o, None), ("break", "TX_NO_ORDER", None, p)]


@case("one order paid twice", "DUP_CHARGE: one order paid by two distinct charges")
def _(b):
    u = b.man("order")
    o, p = b.sale(u)
    p2 = b.buy("coins60", p.bought + HOUR, b.token_for(u, o))
    b.jws(p2, u)
    return [("match", o, p, "M2"), ("break", "DUP_CHARGE", o, p2)]


@case("a purchase that the evidence of another order lists", "a genuine charge left without an order stays TX_NO_ORDER")
def _(b):
    u = b.man("none")
    p = b.buy("coins60", day("04-05T10:00:00"))
    other = b.buy("coins60", p.bought + HOUR)
    listing = b.api([p, other], other.bought + HOUR)
    o = b.order(u, "coins60", p.bought - MINUTE, "delivered", evidence_of=listing["id"])
    return [("match", o, p, "M5"), ("quiet", o, p), ("break", "TX_NO_ORDER", None, other)]


@case("a purchase with the user's token days before the only order with it",
      "DUP_CHARGE: one order paid by two distinct charges; a genuine charge left without an order stays TX_NO_ORDER")
def _(b):
    u = b.man("order")
    token = b.uuid()
    early = b.buy("coins60", day("04-04T10:00:00"), token)
    late = b.buy("coins60", day("04-10T10:01:00"), token)
    b.jws(early, u)
    b.jws(late, u)
    o = b.order(u, "coins60", day("04-10T10:00:00"), "delivered", app_account_token=token)
    return [("match", o, late, "M2"), ("break", "TX_NO_ORDER", None, early)]


@case("the kind of a product that only receipts tell", "catalogue: type; 1707 product type: 0 non-consumable, 2 non-renewing")
def _(b):
    out = []
    for product, kind in (("lifetime", "non_consumable"), ("season90", "non_renewing")):
        u = b.man("none")
        o, p = b.sale(u, product, reported=False)
        b.receipt(p, u)
        out += [("charge", p, "kind", kind), ("match", o, p, "M6")]
    return out


@case("a renewal is for the order that names its line item", "an order that names a line item or transaction of another period is not for this one")
def _(b):
    u = b.man("implicit")
    o, p = b.sale(u, "vip.week", "04-20T10:00:00")
    one = _renewal(b, p, bought=p.ends + 6 * DAY)           # out of billing retry
    # Two days, so that no order precedes the next renewal by less than one: M2 would come before M3.
    one.fields["expiresDate"] = p.ends + 8 * DAY
    two = _renewal(b, one, bought=one.ends - HOUR)
    b.jws(one, u), b.jws(two, u)
    plain = dict(u, mode="none")
    first = b.order(plain, "vip.week", one.bought + 5 * HOUR, "delivered", original_transaction_id=p.tid)
    second = b.order(plain, "vip.week", two.bought + 5 * HOUR, "delivered", web_order_line_item_id=two.fields["webOrderLineItemId"])
    return [("match", first, one, "M4"), ("match", second, two, "M3"), ("quiet", first, one), ("quiet", second, two)]


@case("booked after the next renewal was charged, before the period ended", "a renewal order of that user for that period")
def _(b):
    u = b.man("order")
    _, p = b.sale(u, "vip.week", "04-12T10:00:00")
    one = _renewal(b, p)
    two = _renewal(b, one, bought=one.ends - 4 * HOUR)
    b.jws(one, u), b.jws(two, u)
    booked = b.order(dict(u, mode="none"), "vip.week", two.bought + 2 * HOUR, "delivered", original_transaction_id=p.tid,
                     entitlement_expires_at=two.ends)
    return [("match", booked, two, "M4"), ("quiet", booked, two), ("break", "RENEWAL_NO_ORDER", None, one)]


@case("booked, not charged", "RENEWAL_MISSING: booked or due but not charged; a renewal order of that user for that period")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, "vip.week", "04-12T10:00:00")
    one = _renewal(b, p)
    three = _renewal(b, _renewal(b, one))                     # the second renewal's charge never reached us
    b.jws(one, u), b.jws(three, u)
    plain, out = dict(u, mode="none"), []
    for at, c in ((one.bought, one), (one.ends, None), (three.bought, three)):
        booked = b.order(plain, "vip.week", at + 3 * HOUR, "delivered", original_transaction_id=p.tid,
                         entitlement_expires_at=(c or three).fields["expiresDate"] - (0 if c else 7 * DAY))
        out += [("match", booked, c, "M4"), ("quiet", booked, c)] if c else [("no match", booked), ("break", "RENEWAL_MISSING", booked, None)]
    return out


@case("Production on a sandbox order", "Production charge booked on a sandbox order")
def _(b):
    o, p = b.sale(b.man("order"), environment="Sandbox")
    o["row"]["transaction_id"] = p.tid
    return [("no match", o), ("break", "PROD_IN_SANDBOX", o, None)]


@case("an order at another price", "AMOUNT_DIFF; PRICE_OFF_CATALOG against the catalogue")
def _(b):
    o, p = b.sale(b.man("user"))
    o["row"]["price_milliunits"] = 5000
    u2 = b.man("user")
    o2, p2 = b.sale(u2, "coins648", reported=False)
    p2.fields["price"] = o2["row"]["price_milliunits"] = 500000
    b.jws(p2, u2)
    o3, p3 = b.sale(b.man("user"))                            # a currency that is not stated is no other one
    o3["row"].update(price_milliunits=5000, currency=None)
    return [("break", "AMOUNT_DIFF", o, p), ("break", "AMOUNT_DIFF", o3, p3), ("break", "PRICE_OFF_CATALOG", None, p2), ("match", o2, p2, "M2")]


# --- edges ----------------------------------------------------------------------------------------------------------

@case("clock skew", "not created after the purchase (skew 5 min)")
def _(b):
    out = []
    for late, rung in ((4 * MINUTE, "M2"), (7 * MINUTE, None)):
        u = b.man("order")
        at = day("04-05T10:00:00")
        o = b.order(u, "coins60", at + late, "delivered")
        p = b.buy("coins60", at, b.token_for(u, o))
        b.jws(p)
        out += [("match", o, p, "M2"), ("quiet", o, p)] if rung else [("no match", o), ("break", "ORDER_NO_TX", o, None), ("break", "TX_NO_ORDER", None, p)]
    return out


@case("letter case of tokens", "app account tokens are UUIDs, letter case does not matter")
def _(b):
    o, p = b.sale(b.man("order"), reported=False)
    o["row"]["app_account_token"] = o["row"]["app_account_token"].upper()
    b.jws(p)
    return [("match", o, p, "M2"), ("quiet", o, p)]


@case("identifiers are text", "Identifiers are text, compared byte by byte, never numbers")
def _(b):
    u = b.man("none")
    at = day("04-05T10:00:00")
    p = b.buy("coins60", at)
    o = b.order(u, "coins60", at + 2 * HOUR, "delivered", transaction_id="0" + p.tid)
    b.jws(p)
    return [("no match", o), ("break", "ORDER_NO_TX", o, None), ("break", "TX_NO_ORDER", None, p)]


@case("the earlier order comes later", "the earliest created_at, then order_id, wins ... decided by facts and never by arrival")
def _(b):
    u = b.man("none")
    at = day("04-05T10:00:00")
    p = b.buy("coins60", at)
    later = b.order(u, "coins60", at + HOUR, "delivered", transaction_id=p.tid)
    earlier = b.order(u, "coins60", at + MINUTE, "delivered", transaction_id=p.tid)
    b.orders[-1]["night"] = 2
    b.jws(p)
    return [("match", earlier, p, "M1"), ("break", "DUP_DELIVERY", later, None)]


@case("an order without updated_at", "a row without updated_at counts by the clock at which it is read (page Input files)")
def _(b):
    out = []
    b.sale(b.man("order"))           # a file with the bytes of an earlier one states nothing again
    for nights in ((0, 1, 2), (2, 0, 1)):
        o, p = b.sale(b.man("order"))
        row = b.orders.pop()["row"]
        del row["updated_at"]
        for night in nights:         # reported in any order: otherwise on the second night, and back on the third
            b.orders.append({"night": night, "row": dict(row, price_milliunits=row["price_milliunits"] + (1000 if night == 1 else 0))})
        out += [("on", 1, ("break", "AMOUNT_DIFF", o, p)), ("match", o, p, None), ("quiet", o, p)]
    return out


@case("better evidence comes later", "a lower rung never displaces a higher one, better evidence that comes later does")
def _(b):
    one, two = b.man("none"), b.man("none")
    o, p = b.sale(one, reported=False)
    b.jws(p, one)
    o2 = b.order(two, "coins60", p.bought + HOUR, "delivered", transaction_id=p.tid)
    b.orders[-1]["night"] = 2
    return [("match", o2, p, "M1"), ("no match", o)]


@case("a tester", "testers ... are listed as allowed")
def _(b):
    u, o, p = _sandbox_sale(b, b.user("order", fresh=True, tester=True))
    return [("quiet", o, p)]


@case("a tester no longer", "users: is_tester; nothing is known better than what was told last")
def _(b):
    u, o, p = _sandbox_sale(b, b.user("order", fresh=True, tester=True))
    b.list_user(u, 1, u["token"] or "")
    return [("break", "SANDBOX_IN_PROD", o, p)]


@case("sandbox on both sides", "Sandbox orders match sandbox charges the same way")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, reported=False, environment="Sandbox")
    p.fields["environment"] = "Sandbox"
    b.jws(p, u)
    return [("match", o, p, "M2")]


@variants(("one id in two apps", "key: environment, bundle_id, original_transaction_id", {"bundleId": KIDS}),
          ("one id in two environments", "key: environment, bundle_id, original_transaction_id", {"environment": "Sandbox"}))
def _(b, other):
    u = b.man("none")
    p = b.buy("coins60", day("04-05T10:00:00"))
    o = b.named(u, p, HOUR)
    b.jws(p), b.jws(Purchase(dict(p.fields, **other)))
    # The same id in another app is a charge without order.
    return [("match", o, p, "M1"), ("quiet", o, p if "environment" in other else None), ("charge", p, "environment", "Production")]


def _failed(b, product, at, grace=None, access=None, status=4, **info):
    """A subscription whose renewal failed, and its order. `grace`: the days of access beyond its end that Apple states; `access`: those that
    the order has, where they are others."""
    o, p = b.sale(b.man("user"), product, at)
    end = p.ends
    o["row"]["entitlement_expires_at"] = end + (grace if access is None else access) * DAY
    info = {"isInBillingRetryPeriod": True, "expirationIntent": 2, **info, "gracePeriodExpiresDate": end + grace * DAY if grace else None}
    b.notice("DID_FAIL_TO_RENEW", p, end + 60, subtype="GRACE_PERIOD" if status == 4 else None, status=status, renewals=[_info(p, end + 60, **info)])
    return o, p, end


@case("grace", "Access ends with the newest of expiry, grace and renewal date; Grace(4) is entitled")
def _(b):
    o, p, _ = _failed(b, "vip.month", "04-16T10:00:00", grace=6)
    return [("status", p, "grace"), ("match", o, p, "M2"), ("quiet", o, p)]


@case("a grace that the next renewal info does not repeat", "A field that one observation lacks and another has is kept")
def _(b):
    o, p, end = _failed(b, "vip.month", "04-16T10:00:00", grace=6)
    b.notice("DID_CHANGE_RENEWAL_PREF", p, end + DAY, status=4, renewals=[_info(p, end + DAY, autoRenewStatus=None, renewalDate=None)])
    return [("status", p, "grace"), ("match", o, p, "M2"), ("quiet", o, p)]


@case("a grace without its end", "ENTITLEMENT_OVERRUN: silent while Apple's status says grace and names no end")
def _(b):
    o, p, _ = _failed(b, "vip.month", "04-10T10:00:00", access=16, expirationIntent=None)
    return [("status", p, "grace"), ("match", o, p, "M2"), ("quiet", o, p)]


@case("a grace that Apple's type alone states", "DID_FAIL_TO_RENEW GRACE_PERIOD -> Grace(4); GRACE_PERIOD_EXPIRED -> Billing retry(3)")
def _(b):
    out = []
    for over, status in ((False, "grace"), (True, "billing_retry")):
        o, p = b.sale(b.man("user"), "vip.month", "04-10T10:00:00")
        end = p.ends
        o["row"]["entitlement_expires_at"] = end + 16 * DAY
        reported = dict(isInBillingRetryPeriod=True, expirationIntent=2)
        b.notice("DID_FAIL_TO_RENEW", p, end + 60, subtype="GRACE_PERIOD", renewals=[_info(p, end + 60, **reported)])
        if over:
            b.notice("GRACE_PERIOD_EXPIRED", p, end + DAY, renewals=[_info(p, end + DAY, **reported)])
        out += [("status", p, status), ("match", o, p, "M2"), ("break", "ENTITLEMENT_OVERRUN", o, p) if over else ("quiet", o, p)]
    return out


@case("a renewal turned off while Apple's status says grace", "ENTITLEMENT_OVERRUN: silent while Apple's status says grace")
def _(b):
    o, p, end = _failed(b, "vip.month", "04-16T10:00:00", grace=16)
    b.notice("DID_CHANGE_RENEWAL_STATUS", p, end + DAY, subtype="AUTO_RENEW_DISABLED", status=4, renewals=[_info(p, end + DAY, autoRenewStatus=0)])
    return [("status", p, "grace"), ("match", o, p, "M2"), ("quiet", o, p)]


@case("a renewal info without the auto-renew status", "A field that one observation lacks and another has is kept")
def _(b):
    o, p = b.sale(b.man("user"), "vip.month", "04-05T10:00:00")
    b.notice("SUBSCRIBED", p, p.bought + 60, subtype="INITIAL_BUY", status=1, renewals=[_info(p, p.bought + 60)])
    b.notice("DID_CHANGE_RENEWAL_PREF", p, p.bought + 5 * DAY, renewals=[_info(p, p.bought + 5 * DAY, autoRenewStatus=None)])
    return [("match", o, p, "M2"), ("break", "RENEWAL_MISSING", None, p)]


@case("a grace that is over", "A field that one observation lacks and another has is kept; access longer than Apple's expiry and grace")
def _(b):
    out = []
    for subtype, status, more in (("GRACE_PERIOD_EXPIRED", 3, {"isInBillingRetryPeriod": True}), ("EXPIRED", 2, {"autoRenewStatus": 0})):
        o, p, end = _failed(b, "vip.week", "04-16T10:00:00", grace=6)
        b.notice(subtype, p, end + 6 * DAY + 60, status=status, renewals=[_info(p, end + 6 * DAY + 60, expirationIntent=2, **more)])
        out += [("match", o, p, "M2"), ("quiet", o, p)]
    return out


@case("a grace whose info denies the billing retry", "rely on status and dates, not that flag alone")
def _(b):
    o, p, _ = _failed(b, "vip.week", "04-16T10:00:00", grace=6, isInBillingRetryPeriod=False)
    return [("status", p, "billing_retry"), ("match", o, p, "M2"), ("quiet", o, p)]


@case("a grace that ended before its date", "GRACE_PERIOD_EXPIRED: Billing retry(3); if the customer cancels during grace, the entry goes away")
def _(b):
    out = []
    for subtype, status, became, more in (
        ("GRACE_PERIOD_EXPIRED", 3, "billing_retry", {"isInBillingRetryPeriod": True, "expirationIntent": 2}),
        ("EXPIRED", 2, "expired", {"autoRenewStatus": 0, "expirationIntent": 1}),
    ):
        o, p, end = _failed(b, "vip.week", "04-20T10:00:00", grace=28)
        b.notice(subtype, p, end + 2 * DAY, status=status, renewals=[_info(p, end + 2 * DAY, **more)])
        out += [("status", p, became), ("break", "ENTITLEMENT_OVERRUN", o, p)]
    return out


@case("billing retry without grace", "failed, no grace: Billing retry(3), no access")
def _(b):
    o, p, _ = _failed(b, "vip.month", "04-10T10:00:00", access=0, status=3)
    return [("status", p, "billing_retry"), ("quiet", o, p)]


@case("access after a refund that the order has", "Access ends with ... rows that were not superseded; ENTITLEMENT_OVERRUN: access longer than Apple's expiry")
def _(b):
    out = []
    for status in ("delivered", "refunded"):
        o, p = b.sale(b.man("order"), "vip.month", "04-01T10:00:00")
        o["row"]["entitlement_expires_at"] = p.ends
        at = p.bought + 3 * DAY
        b.refund(p, at)
        b.update(o, at + HOUR, status=status, refunded_at=at + HOUR)
        out += [("match", o, p, None), ("break", "ENTITLEMENT_OVERRUN", o, p) if status == "delivered" else ("quiet", o, p)]
    return out


@case("access beyond Apple's end", "ENTITLEMENT_OVERRUN: access longer than Apple's expiry and grace")
def _(b):
    o, p = b.sale(b.man("user"), "vip.week", "04-16T10:00:00")
    end = p.ends
    o["row"]["entitlement_expires_at"] = end + 60 * DAY
    b.notice("EXPIRED", p, end + 60, subtype="VOLUNTARY", status=2, renewals=[_info(p, end + 60, autoRenewStatus=0, expirationIntent=1)])
    return [("status", p, "expired"), ("break", "ENTITLEMENT_OVERRUN", o, p)]


@case("charged, only a cart", "PAID_NOT_DELIVERED: matched, charge not refunded, nothing delivered after the grace time")
def _(b):
    o, p = b.sale(b.man("order"), fate="created")
    return [("match", o, p, "M2"), ("break", "PAID_NOT_DELIVERED", o, p)]


@case("refund of a purchase nobody booked", "REFUND_NO_ORDER: refund on one side only")
def _(b):
    p = b.buy("coins60", day("04-05T10:00:00"))
    b.refund(p, p.bought + DAY)
    return [("break", "REFUND_NO_ORDER", None, p)]


@case("three at once", "Order and charge price are totals for the quantity")
def _(b):
    u = b.man("order")
    at = day("04-05T10:00:00")
    o = b.order(u, "coins60", at - MINUTE, "delivered", quantity=3, price_milliunits=18000)
    p = b.buy("coins60", at, b.token_for(u, o), quantity=3)
    b.jws(p, u)
    return [("match", o, p, "M2"), ("quiet", o, p)]


@case("free trial without order", "FAMILY_SHARED and zero-price charges are never TX_NO_ORDER")
def _(b):
    out = []
    for price in (0, None):
        p = b.buy("vip.month", day("05-05T10:00:00"), offerType=1, offerDiscountType="FREE_TRIAL")
        p.fields["price"] = price
        if price is None:
            p.fields.pop("price"), p.fields.pop("currency")
        b.notice("SUBSCRIBED", p, p.bought + 5, renewals=[_info(p, p.bought + 5)])
        out += [("charge", p, "state", "free"), ("quiet", None, p)]
    return out


@case("the same refund as a percentage", "100000 = 100%")
def _(b):
    o, p = b.sale(b.man("order"), reported=False)
    p.change(p.bought + DAY, revocationDate=p.bought + DAY, revocationReason=0, revocationType="REFUND_PRORATED", revocationPercentage=100000)
    b.api([p], p.bought + 2 * DAY)
    return [("charge", p, "state", "refunded"), ("charge", p, "refunded", 6000), ("break", "REFUND_NOT_APPLIED", o, p)]


@case("forged first, genuine later", "better evidence that comes later does")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, reported=False)
    b.jws(p, u, order=o, signer="stranger")
    late = b.jws(p, u, p.bought + 60, order=o)
    late["night"] = 2
    return [("match", o, p, "M5")]


@case("the original id of a kind that does not renew", "M3: the original id of a kind that does not renew")
def _(b):
    out = []
    for product in ("coins60", "lifetime"):
        u = b.man("none")
        at = day("04-05T10:00:00")
        p = b.buy(product, at)
        o = b.order(u, product, at + HOUR, "delivered", original_transaction_id=p.tid)
        b.jws(p)
        out += [("match", o, p, "M3"), ("quiet", o, p)]
    return out


@case("no order names a subscription by its original id alone", "M3: the original id of a kind that does not renew")
def _(b):
    u = b.man("none")
    at = day("05-05T10:00:00")
    p = b.buy("vip.month", at)
    o = b.order(u, "vip.month", at + HOUR, "delivered", original_transaction_id=p.tid)
    b.jws(p)
    return [("no match", o), ("break", "TX_NO_ORDER", None, p)]


@case("two purchases, two orders, one token", "exactly one open order")
def _(b):
    u = b.man("user")
    o, p = b.sale(u)
    o2, p2 = b.sale(u, "coins60", "04-05T15:00:00")
    return [("match", o, p, "M2"), ("match", o2, p2, None), ("quiet", o, p), ("quiet", o2, p2)]


@case("a refund refused again after the reversal", "the newest signed transaction")
def _(b):
    o, p = b.sale(b.man("order"))
    for at, back in ((DAY, False), (2 * DAY, True), (3 * DAY, False)):
        if back:
            p.change(p.bought + at, revocationDate=None, revocationReason=None)
        else:
            p.refund(p.bought + at)
        b.notice("REFUND_REVERSED" if back else "REFUND", p, p.bought + at + 5)
    return [("charge", p, "state", "refunded"), ("break", "REFUND_NOT_APPLIED", o, p)]


@case("a receipt tells the refund, Apple's history its reversal", "only a newer signed transaction, Apple's history or a REFUND_REVERSED is")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, "lifetime")
    p.refund(p.bought + DAY)
    b.receipt(p, u, p.bought + 2 * DAY)
    p.change(p.bought + 3 * DAY, revocationDate=None, revocationReason=None)
    b.api([p], p.bought + 4 * DAY)
    return [("charge", p, "state", "charged"), ("quiet", o, p)]


@case("an older signed transaction is no reversal", "a newer signed transaction")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, "lifetime", reported=False)
    before = Purchase(dict(p.fields))
    p.refund(p.bought + DAY)
    b.receipt(p, u, p.bought + 2 * DAY)
    late = b.jws(before, u, p.bought + 60)
    late["night"] = 2
    return [("charge", p, "state", "refunded"), ("break", "REFUND_NOT_APPLIED", o, p)]


@case("Ask to Buy without a token", "purchased inside the window after the order (default 24 h; Ask to Buy 14 d)")
def _(b):
    u, v = b.man("user"), b.man("user")
    bought = day("04-09T05:00:00")
    o = b.order(u, "season90", bought - 200 * HOUR, "delivered", paid_at=bought + 60, delivered_at=bought + 90)
    p = b.buy("season90", bought)
    b.receipt(p, u)
    o2 = b.order(v, "season90", bought - 200 * HOUR, "delivered", paid_at=bought - 199 * HOUR, delivered_at=bought - 199 * HOUR)
    p2 = b.buy("season90", bought)
    b.receipt(p2, v)
    return [("match", o, p, "M6"), ("quiet", o, p), ("no match", o2), ("break", "ORDER_NO_TX", o2, None), ("break", "TX_NO_ORDER", None, p2)]


@case("the renewal of a first period that was guessed", "M4: renewal of a subscription whose owner is known")
def _(b):
    u = b.man("user")
    bought = day("04-01T10:00:00")
    o = b.order(u, "vip.week", bought - 60, "delivered", paid_at=bought + 60, delivered_at=bought + 90)
    p = b.buy("vip.week", bought)
    b.receipt(p, u)
    r = b.renewed(p, u)
    o2 = b.order(u, "vip.week", r.bought + 5 * HOUR, "delivered", original_transaction_id=p.tid,
                 paid_at=r.bought + 5 * HOUR + 60, delivered_at=r.bought + 5 * HOUR + 90)
    return [("match", o, p, "M6"), ("match", o2, r, "M4"), ("quiet", o2, r)]


@case("a renewal whose first period nobody told",
      "M4: renewal of a subscription whose owner is known; the token that an order carries tells him")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, "vip.week", "03-29T10:00:00", reported=False)
    r = b.renewed(p)
    return [("owner", r, u["user_id"]), ("break", "RENEWAL_NO_ORDER", None, r), ("break", "ORDER_NO_TX", o, None)]


def _weeks(b, u=None):
    """A weekly subscription with two renewals in Apple's history. Only their orders name its user."""
    p = b.buy("vip.week", day("04-15T10:00:00"))
    one = b.renewed(p)
    return one, b.renewed(one, u)


@case("a late renewal whose owner a lower rung tells", "M1 ..., and the charge's token or chain, where it names a known user, names this order's user")
def _(b):
    u = b.man("none")
    one, two = _weeks(b, u)
    late = one.bought + 7 * DAY + 6 * HOUR
    o = b.order(u, "vip.week", late, "delivered", transaction_id=one.tid)
    o2 = b.order(u, "vip.week", late + MINUTE, "delivered", web_order_line_item_id=two.fields["webOrderLineItemId"])
    return [("match", o, one, "M1"), ("match", o2, two, "M3"), ("quiet", o, one), ("quiet", o2, two), ("owner", one, u["user_id"])]


@case("late renewals whose owner evidence tells", "M5: the order carries the hash of evidence that decodes to the charge")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, "vip.week", "04-15T10:00:00", reported=False)
    b.jws(p, u, order=o)
    one = b.renewed(p)
    two = b.renewed(one)
    late = two.bought + 8 * DAY
    o1 = b.order(u, "vip.week", late, "delivered", web_order_line_item_id=one.fields["webOrderLineItemId"])
    o2 = b.order(u, "vip.week", late + MINUTE, "delivered", transaction_id=two.tid)
    return [("match", o, p, "M5"), ("match", o1, one, "M3"), ("match", o2, two, "M1"), ("quiet", o1, one), ("quiet", o2, two)]


@case("two orders of one renewal, the late one names its transaction", "a lower rung never displaces a higher one, better evidence that comes later does")
def _(b):
    u = b.man("none")
    one, two = _weeks(b)
    o = b.order(u, "vip.week", one.bought + HOUR, "delivered", web_order_line_item_id=one.fields["webOrderLineItemId"])
    o2 = b.order(u, "vip.week", one.bought + 8 * DAY, "delivered", transaction_id=one.tid)
    return [("match", o2, one, "M1"), ("no match", o), ("break", "DUP_DELIVERY", o, None), ("break", "RENEWAL_NO_ORDER", None, two)]


@case("a late renewal whose first period was guessed", "M4: renewal of a subscription whose owner is known")
def _(b):
    u = b.man("none")
    bought = day("04-15T10:00:00")
    o = b.order(u, "vip.week", bought - 60, "delivered", paid_at=bought + 60, delivered_at=bought + 90)
    p = b.buy("vip.week", bought)
    b.receipt(p, u)
    r = b.renewed(p)
    o2 = b.order(u, "vip.week", r.bought + 8 * DAY, "delivered", transaction_id=r.tid)
    return [("match", o, p, "M6"), ("match", o2, r, "M1"), ("quiet", o2, r)]


@case("a late renewal of a token that two users held",
      "every token that a user ever held leads to that user unless another user holds it too, then to nobody")
def _(b):
    u, v = b.man("user"), b.man("none")
    b.list_user(v, 0, u["token"])
    o, p = b.sale(u, "vip.week", "04-15T10:00:00")
    r = b.renewed(p)
    o2 = b.order(u, "vip.week", r.bought + 8 * DAY, "delivered", transaction_id=r.tid)
    return [("match", o, p, "M2"), ("match", o2, r, "M1"), ("quiet", o2, r)]


@case("booked for the next period in the last day of one whose charge has its order",
      "M4: a renewal order of that user for that period; DUP_DELIVERY: one charge delivered more than once")
def _(b):
    u = b.man("none")
    p, r, o, o2 = _week_and_order(b, u)
    o3 = _booked_on_the_last_day(b, u, p, r, 7 * DAY)
    return [("match", o, p, "M1"), ("match", o2, r, "M3"), ("no match", o3), ("break", "RENEWAL_MISSING", o3, None), ("quiet", o2, r)]


@case("booked for the next period in the last day of one whose charge has none", "M4: a renewal order of that user for that period")
def _(b):
    u = b.man("none")
    p, r, o, _ = _week_and_order(b, u, renewed=False)
    o3 = _booked_on_the_last_day(b, u, p, r, 7 * DAY)
    return [("match", o, p, "M1"), ("no match", o3), ("break", "RENEWAL_MISSING", o3, None), ("break", "RENEWAL_NO_ORDER", None, r)]


@case("booked late, in the last day of its own period", "M4: a renewal order of that user for that period")
def _(b):
    u = b.man("none")
    p, r, o, _ = _week_and_order(b, u, renewed=False)
    o3 = _booked_on_the_last_day(b, u, p, r, 0)
    return [("match", o, p, "M1"), ("match", o3, r, "M4"), ("quiet", o3, r)]


@case("booked for the next period, whose charge comes", "M4: a renewal order of that user for that period")
def _(b):
    u = b.man("none")
    p, r, o, o2 = _week_and_order(b, u)
    two = b.renewed(r)
    o3 = _booked_on_the_last_day(b, u, p, r, 7 * DAY)
    return [("match", o2, r, "M3"), ("match", o3, two, "M4"), ("quiet", o3, two)]


def _booked_on_the_last_day(b, u, p, r, access):
    """An order of the last hours of a period, with access for so long after it."""
    return b.order(u, "vip.week", r.ends - 2 * HOUR, "delivered", original_transaction_id=p.tid, entitlement_expires_at=r.ends + access)


@case("a second payment beside an order with a token of its own",
      "M6: same user ...; but the charge carries the token that another order was given; DUP_CHARGE: one order paid by two distinct charges")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, "coins60", "04-08T10:00:00")
    again = b.buy("coins60", p.bought + HOUR, o["row"]["app_account_token"])
    b.jws(again, u)
    o2 = b.order(u, "coins60", p.bought + 50 * MINUTE, "delivered", app_account_token=b.uuid())
    return [("match", o, p, "M2"), ("no match", o2), ("break", "ORDER_NO_TX", o2, None), ("break", "DUP_CHARGE", o, again)]


@case("a purchase with the token of a cancelled order of another product", "M6: an order with another token than the charge's")
def _(b):
    u = b.man("order")
    o = b.order(u, "skin", day("04-08T10:00:00"), "cancelled", app_account_token=b.uuid())
    p = b.buy("coins60", day("04-08T10:10:00"), o["row"]["app_account_token"])
    b.jws(p, u)
    o2 = b.order(u, "coins60", p.bought - 5 * MINUTE, "delivered", app_account_token=b.uuid())
    return [("no match", o2), ("break", "ORDER_NO_TX", o2, None), ("break", "TX_NO_ORDER", None, p)]


def _week_and_order(b, u, renewed=True):
    """A weekly subscription and its renewal, with the order of the first period and, if wanted, of the second, by its line item."""
    p = b.buy("vip.week", day("04-08T10:00:00"))
    b.jws(p, u)
    o = b.order(u, "vip.week", p.bought - MINUTE, "delivered", transaction_id=p.tid)
    r = b.renewed(p)
    o2 = b.order(u, "vip.week", r.bought + HOUR, "delivered", web_order_line_item_id=r.fields["webOrderLineItemId"]) if renewed else None
    return p, r, o, o2


@case("an old purchase shown in a period that is booked", "LATE_VERIFICATION: purchased long before the order that claims it; the period claims nothing")
def _(b):
    out = []
    for ways in ("hash", "upload"):
        u = b.man("none")
        p, r, o, o2 = _week_and_order(b, u)
        two = _renewal(b, r, bought=r.ends + HOUR, transactionReason="PURCHASE")
        three = b.renewed(two)
        o3 = b.order(u, "vip.week", three.bought + HOUR, "delivered", web_order_line_item_id=three.fields["webOrderLineItemId"])
        shown = b.order(u, "vip.week", three.bought + 5 * DAY, "delivered")
        item = b.jws(two, u, order=shown) if ways == "upload" else b.jws(two, u)
        if ways == "hash":
            shown["row"]["evidence_of"] = item["id"]
        out += [("match", o3, three, "M3"), ("no match", shown), ("break", "LATE_VERIFICATION", shown, None), ("break", "TX_NO_ORDER", None, two)]
    return out


@case("a held purchase shown in a period that is booked", "DUP_DELIVERY: one charge delivered more than once to one user")
def _(b):
    u = b.man("none")
    p, r, o, o2 = _week_and_order(b, u)
    shown = b.order(u, "vip.week", r.bought + 2 * DAY, "delivered")
    item = b.jws(p, u, p.bought + HOUR)
    shown["row"]["evidence_of"] = item["id"]
    return [("match", o, p, "M1"), ("match", o2, r, "M3"), ("no match", shown), ("break", "DUP_DELIVERY", shown, None)]


@case("a period booked twice, the second time by nothing that is shown", "DUP_DELIVERY: one charge delivered more than once to one user")
def _(b):
    u = b.man("none")
    p, r, o, o2 = _week_and_order(b, u)
    again = b.order(u, "vip.week", r.bought + 2 * DAY, "delivered")
    return [("match", o2, r, "M3"), ("no match", again), ("break", "DUP_DELIVERY", again, None)]


@case("a failed renewal whose grace is over", "GRACE_PERIOD_EXPIRED: grace ended -> Billing retry(3), retry continues to day 60")
def _(b):
    out = []
    for at, status in ((day("03-19T10:00:00"), "expired"), (day("03-23T10:00:00"), "billing_retry")):
        p = b.buy("vip.month", at - 30 * DAY)
        p.fields["expiresDate"] = at
        b.jws(p)
        reported = dict(autoRenewStatus=1, isInBillingRetryPeriod=True, expirationIntent=2)
        b.notice("DID_FAIL_TO_RENEW", p, at + 60, subtype="GRACE_PERIOD", status=4,
               renewals=[_info(p, at + 60, gracePeriodExpiresDate=at + 6 * DAY, **reported)])
        b.notice("GRACE_PERIOD_EXPIRED", p, at + 6 * DAY, status=3, renewals=[_info(p, at + 6 * DAY, **reported)])
        out.append(("status", p, status))
    return out


@case("our own refund of which no instant is told", "Lifecycle classes count their grace time from Apple's instant (purchase, revocation, expiry)")
def _(b):
    o, p = b.sale(b.man("user"), at="04-18T10:00:00")
    b.update(o, day("05-19T22:00:00"), status="refunded", refunded_at=None)
    return [("match", o, p, "M2"), ("break", "REFUND_ONLY_OURS", o, p)]


def _legacy(b, u, *rows, stays=1):
    """The receipt of the first purchase. Only verifyReceipt reports the others, and whether the subscription renews."""
    item = b.receipt(rows[0], u)
    b.legacy[item["id"]] = (rows, lambda at: _info(rows[-1], at, autoRenewStatus=stays, renewalDate=None))


@case("verifyReceipt tells of a renewal", "nothing counts as money unless ... Apple's server said so over TLS; M4: renewal of a subscription whose owner is known")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, "vip.week", "04-02T10:00:00", reported=False)
    o["row"]["transaction_id"] = p.tid
    r = _renewal(b, p, bought=p.ends - HOUR)
    o2 = b.order(u, "vip.week", r.bought + HOUR, "delivered", entitlement_expires_at=r.ends)
    _legacy(b, u, p, r, stays=0)
    return [("match", o, p, "M1"), ("on", 1, ("match", o2, r, "M4")), ("quiet", o2, r), ("owner", r, u["user_id"])]


@case("verifyReceipt alone says that it renews", "RENEWAL_MISSING: booked or due but not charged")
def _(b):
    u = b.man("none")
    o, p = b.sale(u, "vip.week", "04-01T10:00:00", reported=False)
    o["row"]["transaction_id"] = p.tid
    _legacy(b, u, p)
    return [("match", o, p, "M1"), ("on", 1, ("break", "RENEWAL_MISSING", None, p)), ("break", "RENEWAL_MISSING", None, p)]


@case("verifyReceipt says that Apple gave the money back", "a receipt's cancellation: refunded by Apple; a consumable's is not visible there")
def _(b):
    u = b.man("none")
    out = []
    for product, state in (("lifetime", "refunded"), ("coins60", "charged")):
        o, p = b.sale(u, product, "04-05T10:00:00", reported=False)
        o["row"]["transaction_id"] = p.tid
        p.refund(day("04-10T06:00:00"))
        item = b.receipt(p, u, p.bought + 90)
        b.order(u, product, p.bought + HOUR, "created", evidence_of=item["id"])       # so that it is asked about
        b.legacy[item["id"]] = ((p,), None)
        out += [("match", o, p, "M1"), ("charge", p, "state", state)]
    return out


def build(only=""):
    """The world of all cases (or those whose name begins so), what each expects, and which case an order, user or transaction belongs to."""
    import cases_decisions          # noqa: F401  (adds its cases to the table)
    import cases_ranks              # noqa: F401
    import cases_whose              # noqa: F401
    b = Fixed()
    expectations, owner = [], {}
    for name, says, function in CASES:
        if not name.startswith(only):
            continue
        marks = len(b.orders), len(b.evidence), len(b.decisions)
        for e in function(b):
            expectations.append((name, e))
        for v in b.orders[marks[0]:]:
            owner[v["row"]["order_id"]] = name
        for e in b.evidence[marks[1]:]:
            owner[e["id"]] = name
            for tx in e["txs"]:
                owner[tx["transactionId"]] = name
                owner.setdefault(tx["originalTransactionId"], name)
        for a in b.decisions[marks[2]:]:
            owner[a["id"]] = name
    made = b.world()
    made["seed"], made["story"], made["decisions"] = 0, ["cases"], b.decisions
    return made, expectations, owner


def check(made, expectations):
    """The oracle's answer against the table."""
    made = verify_receipt.answered(made)
    nights, wrong = [Night(made, k) for k in range(len(made["nights"]))], []

    def charge(p):
        found = [c for c in night.charges if p.tid in c.tids and c.environment == p.fields["environment"]]
        return found[0] if found else None

    for name, e in expectations:
        night = nights[-1]
        if e[0] == "on":
            night, e = nights[e[1]], e[2]
        what = e[0]
        if what == "holds":
            decision = decisions.standing(decisions.known(made, e[1]))[e[2]]
            got = decisions.holds(decision, nights[e[1]].now, nights[:e[1] + 1])
            ok = got is e[3]
        elif what == "names":
            _, name_of, o, p, user = e
            row = {"class": name_of, "order_id": o["row"]["order_id"] if o else "", "transaction_id": p.tid}
            got = attributes.users(night, row, charge(p), night.orders.get(row["order_id"]), None)
            ok = got == {user["user_id"]}
        elif what == "match":
            _, o, p, rung = e
            c = charge(p)
            got = night.matched.get(c) if c else None
            ok = got and got[0] == o["row"]["order_id"] and (rung is None or rung in got[1])
        elif what == "no match":
            got = night.order_of.get(e[1]["row"]["order_id"])
            ok = got is None
        elif what == "break":
            _, cls, o, p = e
            c = charge(p) if p else None
            got = [x for x in night.expected if x.must and cls in x.classes and (o is None or x.order == o["row"]["order_id"])
                   and (c is None or x.charges is None or c.label in x.charges)]
            ok = bool(got)
        elif what == "quiet":
            _, o, p = e
            c = charge(p) if p else None
            got = [x for x in night.expected if x.must and ((o and x.order == o["row"]["order_id"]) or (c and x.charges and c.label in x.charges))]
            ok = not got
        elif what == "charge":
            c = charge(e[1])
            got = c and getattr(c, e[2])
            ok = got == e[3]
        elif what == "charges":
            got = [charge(p) for p in e[1:]]
            ok = None not in got and len(set(map(id, got))) == len(got)
        elif what == "one charge":
            got = [c for c in night.charges if e[1].tid in c.tids]
            ok = len(got) == 1
        elif what == "no charge":
            got = charge(e[1])
            ok = got is None
        elif what == "class":
            got = [x for x in night.expected if x.must and e[1] in x.classes]
            ok = bool(got)
        else:
            f = e[1].fields
            got = night.subscriptions[f["bundleId"], f["environment"], f["originalTransactionId"]]
            ok = e[2] in got["status"] if what == "status" else got["user_id"] == e[2] if what == "owner" else got["ends"] == {e[2]}
        if not ok:
            wrong.append(f"{name}: {e[0]} {[x['row']['order_id'] if isinstance(x, dict) and 'row' in x else x.fields['transactionId'] if isinstance(x, Purchase) else x for x in e[1:]]}: oracle has {got}")
    return wrong


def main():
    made, expectations, _ = build()
    wrong = check(made, expectations)
    for line in wrong:
        print(line)
    print(f"{len(CASES)} cases, {len(expectations)} statements, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    import cases                    # under its own name, so that cases_decisions.py adds to the same table
    sys.exit(cases.main())
