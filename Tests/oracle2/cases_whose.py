"""Table cases of whom a break names, of what is delivered after people dismissed its break, and of claims refused as duplicates.

Besides the statements of cases.py and cases_decisions.py:

    ("names", class, order, purchase, user)    whom that break names
"""

from cases import case, day
from world import DAY, HOUR, MINUTE, _info, _renewal

BACK = "accepted, dismissed, written_off ... by a person's decision; a new or stronger fact brings it back"
FREE = "An order refused as a duplicate does not compete for the user's next purchase"


def second_token(b, reported=True, **more):
    """A chain of one user whose second period carries another user's token."""
    one, two = b.man("user"), b.man("user")
    o, p = b.sale(one, "vip.week", "03-29T10:00:00", reported=reported)
    r = _renewal(b, p, bought=p.ends - HOUR, appAccountToken=two["token"], **more)
    return one, two, o, p, r


# --- whom ----------------------------------------------------------------------------------------------------------

@case("W01 a missing renewal names the owner of the chain", "never against the known owner of the chain; RENEWAL_MISSING: due but not charged")
def _(b):
    one, _, o, p, r = second_token(b)
    b.notice("DID_RENEW", r, r.bought + 60, renewals=[_info(r, r.bought + 60)])
    return [("match", o, p, "M2"), ("on", 1, ("break", "RENEWAL_NO_ORDER", None, r)), ("on", 1, ("names", "RENEWAL_NO_ORDER", None, r, one)),
            ("names", "RENEWAL_NO_ORDER", None, r, one), ("names", "RENEWAL_MISSING", None, r, one), ("break", "RENEWAL_MISSING", None, None)]


@case("W02 a refund without order names the owner of the chain", "never against the known owner of the chain; REFUND_NO_ORDER: refund on one side only")
def _(b):
    one, two, _, _, r = second_token(b)
    b.jws(r, two)
    at = r.bought + DAY
    b.refund(r, at)
    return [("break", "REFUND_NO_ORDER", None, r), ("names", "REFUND_NO_ORDER", None, r, one)]


@case("W03 a renewal booked for the owner of the chain", "M4: renewal of a subscription whose owner is known; a renewal order of that user for that period")
def _(b):
    out = []
    for name, field in (("transaction_id", "transactionId"), ("web_order_line_item_id", "webOrderLineItemId"), (None, None)):
        one, two, o, p, r = second_token(b)
        b.jws(r, two)
        booked = b.order(dict(one, mode="none"), "vip.week", r.bought + 2 * HOUR, "delivered", **({name: r.fields[field]} if name else {}))
        out += [("match", o, p, "M2"), ("match", booked, r, "M4"), ("quiet", booked, r)]
    return out


@case("W04 the first period is told later than the second", "The state of a transaction is a function of the set of its observations, never of their order")
def _(b):
    one, two, o, p, r = second_token(b, reported=False)
    b.notice("DID_RENEW", r, r.bought + 60)
    b.api([p], day("04-10T10:00:00"))
    return [("on", 0, ("names", "RENEWAL_NO_ORDER", None, r, two)), ("on", 1, ("names", "RENEWAL_NO_ORDER", None, r, one)),
            ("match", o, p, "M2"), ("names", "RENEWAL_NO_ORDER", None, r, one)]


@case("W09 another user's subscription by its original id",
      "never against the known owner of the chain (that is USER_DIFF); one charge claimed by orders of different users")
def _(b):
    one, thief = b.man("user"), b.man("none")
    o, p = b.sale(one, "vip.week", "03-29T10:00:00")
    r = b.renewed(p, one)
    names = {"original_transaction_id": p.tid}
    held = b.order(thief, "vip.week", p.bought + DAY, "delivered", **names)
    free = b.order(thief, "vip.week", r.bought + DAY, "delivered", **names)
    over = b.order(thief, "vip.week", r.ends + DAY, "paid", **names)
    return [("match", o, p, "M2"), ("break", "REPLAY_MULTI_USER", held, None), ("break", "USER_DIFF", free, None), ("break", "USER_DIFF", over, None)]


@case("W05 a charge alone names whom its token leads to", "every token that a user ever held leads to that user")
def _(b):
    u, other = b.man("user"), b.man("none")
    p = b.buy("coins60", day("04-05T10:00:00"), u["token"])
    b.jws(p, other)
    return [("break", "TX_NO_ORDER", None, p), ("names", "TX_NO_ORDER", None, p, u)]


@case("W06 a purchase another named is its own user's", "M1 ... names this order's user; a genuine charge left without order stays TX_NO_ORDER")
def _(b):
    u, thief = b.man("user"), b.man("none")
    p = b.buy("coins60", day("04-05T10:00:00"), u["token"])
    o = b.order(thief, "coins60", p.bought - MINUTE, "delivered", transaction_id=p.tid)
    b.jws(p, thief, order=o)
    return [("break", "USER_DIFF", o, None), ("names", "USER_DIFF", o, p, thief), ("break", "TX_NO_ORDER", None, p),
            ("names", "TX_NO_ORDER", None, p, u)]


@case("W07 another account's purchase in a chain names the owner of the chain",
      "M2: never against the known owner of the chain (that is USER_DIFF); token change inside a chain ... not as an automatic account move")
def _(b):
    out = []
    for back in (False, True):
        one, two, o, p, up = second_token(b, transactionReason="PURCHASE")
        o2 = b.order(two, "vip.week", up.bought - MINUTE, "delivered")
        b.jws(up, two)
        if back:
            b.refund(up, up.bought + DAY)
        name = "REFUND_NO_ORDER" if back else "TX_NO_ORDER"
        out += [("match", o, p, "M2"), ("no match", o2), ("break", "USER_DIFF", o2, None), ("break", name, None, up), ("names", name, None, up, one)]
    return out


@case("W08 an ambiguity among one user's orders names him (seed 2001003)", "every token that a user ever held leads to that user; break AMBIGUOUS_MATCH")
def _(b):
    u = dict(b.man("user"), mode="none")         # his orders do not carry his token themselves
    p = b.buy("coins60", day("04-05T10:00:00"), u["token"])
    for hours in (2, 5):
        b.order(u, "coins60", p.bought - hours * HOUR, "delivered")
    b.jws(p, u)
    return [("break", "AMBIGUOUS_MATCH", None, p), ("names", "AMBIGUOUS_MATCH", None, p, u)]


# --- goods that go out after people dismissed the break -----------------------------------------------------------

def later(b, classes, o, first=None):
    """Dismissed after the first night, while the order is only paid; delivered before the second."""
    x = b.on_break("dismiss", classes, o)
    at = day("04-10T10:00:00")
    b.update(o, at, late=0, status="delivered", delivered_at=at)
    return [("on", 0, ("break", first or classes.split()[0], o, None)), ("break", classes.split()[0], o, None), ("holds", 1, x, None)]


@case("W10 delivered after it was dismissed: REPLAY_MULTI_USER", BACK)
def _(b):
    u, p = b.man("none"), b.sale(b.man("user"))[1]
    o = b.order(u, "coins60", p.bought + HOUR, "paid", transaction_id=p.tid)
    return later(b, "REPLAY_MULTI_USER", o)


@case("W11 delivered after it was dismissed: DUP_DELIVERY", BACK)
def _(b):
    u = b.man("user")
    _, p = b.sale(u, transaction_id=str(b.number + 7))
    o = b.order(u, "coins60", p.bought + HOUR, "paid", transaction_id=p.tid)
    return later(b, "DUP_DELIVERY ORDER_NO_TX", o, first="ORDER_NO_TX")          # delivered once until then


@case("W12 delivered after it was dismissed: USER_DIFF", BACK)
def _(b):
    u, owner = b.man("none"), b.man("user")
    p = b.buy("coins60", day("04-05T10:00:00"), owner["token"])
    o = b.order(u, "coins60", p.bought - MINUTE, "paid", transaction_id=p.tid)
    b.jws(p, owner)
    return later(b, "USER_DIFF", o)


@case("W13 delivered after it was dismissed: LATE_VERIFICATION", BACK)
def _(b):
    u = b.man("none")
    p = b.buy("coins60", day("03-05T10:00:00"))
    o = b.order(u, "coins60", day("04-05T10:00:00"), "paid", transaction_id=p.tid)
    b.jws(p, u, o["row"]["created_at"] + 60)
    return later(b, "LATE_VERIFICATION", o)


@case("W14 delivered after it was dismissed: PRODUCT_DIFF", BACK)
def _(b):
    u = b.man("none")
    p = b.buy("coins60", day("04-05T10:00:00"))
    o = b.order(u, "coins648", p.bought - MINUTE, "paid", transaction_id=p.tid)
    b.jws(p, u)
    return later(b, "PRODUCT_DIFF", o)


@case("W15 delivered after it was dismissed: ORDER_NO_TX that names a transaction", BACK)
def _(b):
    o = b.order(b.man("none"), "coins60", day("04-05T10:00:00"), "paid", transaction_id=b.tid())
    return later(b, "ORDER_NO_TX", o)


@case("W16 delivered after it was dismissed: ORDER_NO_TX that names nothing", BACK)
def _(b):
    return later(b, "ORDER_NO_TX", b.order(b.man("none"), "coins60", day("04-05T10:00:00"), "paid"))


# --- refused as a duplicate ----------------------------------------------------------------------------------------

def following(b, u, first, hours=3):
    """The user's next purchase, within a day of the refused order: without a token, uploaded with no order number."""
    o, p = b.sale(u, "coins60", first["row"]["created_at"] + hours * HOUR, reported=False)
    b.jws(p, u)
    return [("match", o, p, "M6"), ("quiet", o, p)]


@case("W20 refused as a replay: named by its transaction", FREE)
def _(b):
    u = b.man("none")
    _, p = b.sale(b.man("user"))
    o = b.order(u, "coins60", p.bought + HOUR, "delivered", transaction_id=p.tid)
    return [("break", "REPLAY_MULTI_USER", o, None)] + following(b, u, o)


@case("W21 refused as a replay: claimed by an upload", FREE)
def _(b):
    u = b.man("none")
    _, p = b.sale(b.man("user"))
    o = b.order(u, "coins60", p.bought + HOUR, "delivered")
    b.jws(p, u, at=p.bought + 2 * HOUR, order=o)
    return [("break", "REPLAY_MULTI_USER", o, None)] + following(b, u, o)


@case("W22 refused as a replay: its upload's charge was forced to another (seed 1300379)", FREE)
def _(b):
    u, other = b.man("none"), b.man("order")
    o, p = b.sale(u, reported=False)
    b.jws(p, u, order=o)
    cart = b.order(other, "coins60", p.bought + HOUR, "cancelled")
    b.pair("force", cart, p)
    return [("on", 0, ("match", o, p, "M5")), ("match", cart, p, "M0"), ("break", "REPLAY_MULTI_USER", o, None)] + following(b, u, o, hours=12)


@case("W23 refused as a duplicate: claimed by an upload", FREE)
def _(b):
    u = b.man("none")
    first, p = b.sale(u, transaction_id=str(b.number + 7))
    o = b.order(u, "coins60", p.bought + HOUR, "delivered")
    b.jws(p, u, at=p.bought + 2 * HOUR, order=o)
    return [("match", first, p, "M1"), ("break", "DUP_DELIVERY", o, None)] + following(b, u, o)


# --- input quality -------------------------------------------------------------------------------------------------

@case("W30 Apple lists a notification that never came", "T25: onlyFailures=true returns it; event created once, MISSED_NOTIFICATION count 1")
def _(b):
    o, p = b.sale(b.man("user"), reported=False)
    b.missed("ONE_TIME_CHARGE", p, p.bought + 60, 0)
    return [("match", o, p, "M2"), ("break", "MISSED_NOTIFICATION", None, None)]


@case("W31 a new word of Apple's", "unknown type: store, flag; UNRECOGNIZED_VALUE")
def _(b):
    o, p = b.sale(b.man("user"), reported=False)
    b.notice("CHARGE_REVIEWED", p, p.bought + 60, strange="CHARGE_REVIEWED")
    o2, p2 = b.sale(b.man("user"), reported=False)
    p2.fields["transactionReason"] = "GRANTED"
    b.jws(p2, strange="GRANTED")
    return [("match", o, p, "M2"), ("match", o2, p2, "M2"), ("break", "UNRECOGNIZED_VALUE", None, None)]
