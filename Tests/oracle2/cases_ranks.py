"""Table cases of orders that reach one purchase, of subscriptions whose orders name the first transaction, of start dates and of evidence
that is ingested before Apple signs it."""

from cases import case, day
from world import HOUR, MINUTE, _renewal

RANK = "an order that was ever paid or delivered outranks carts and cancelled orders; among equals the earliest created_at, then order_id, wins"
TWICE = "DUP_DELIVERY: one charge delivered more than once to one user: both orders were delivered"
CHAIN = "an order created for a later period that names only the subscription's first transaction names the chain, not the first period"
HELD = "Evidence signed after the run's clock is held until the clock passes it"


def claims(b, *fates):
    """Orders of one user that name one purchase, a minute apart."""
    u = b.man("none")
    p = b.buy("coins60", day("04-05T10:00:00"))
    b.jws(p, u)
    orders = []
    for n, fate in enumerate(fates):
        made = b.order(u, "coins60", p.bought + (n - 1) * MINUTE, "cancelled" if fate == "called off" else fate,
                       transaction_id=p.tid, paid_at=p.bought if fate in ("called off", "paid", "delivered") else None)
        orders.append(made)
    return p, orders


@case("K01 the retry goes before what was called off", RANK)
def _(b):
    out = []
    for first in ("created", "cancelled", "called off"):
        p, (o, again) = claims(b, first, "delivered")
        out += [("match", again, p, "M1"), ("no match", o), ("quiet", o, p), ("quiet", again, p)]
    return out


@case("K02 delivered once", TWICE)
def _(b):
    p, (o, again) = claims(b, "paid", "delivered")
    p2, (o2, again2) = claims(b, "delivered", "paid")
    p3, (o3, cart) = claims(b, "delivered", "created")
    return [("match", o, p, "M1"), ("break", "ORDER_NO_TX", again, None), ("break", "PAID_NOT_DELIVERED", o, p),
            ("match", o2, p2, "M1"), ("break", "ORDER_NO_TX", again2, None), ("match", o3, p3, "M1"), ("quiet", cart, p3)]


def subscription(b, u, reported=True):
    p = b.buy("vip.week", day("03-25T10:00:00"))
    if reported:
        b.jws(p, u)
    periods = [p]
    for _ in range(2):
        periods.append(b.renewed(periods[-1]))
    return periods


@case("K03 every order names the first transaction", CHAIN)
def _(b):
    u = b.man("none")
    out = []
    periods = subscription(b, u)
    for period in periods:
        o = b.order(u, "vip.week", period.bought + (2 * HOUR if period is not periods[0] else -MINUTE), "delivered",
                    transaction_id=periods[0].tid, entitlement_expires_at=period.ends)
        out += [("match", o, period, "M4" if period is not periods[0] else "M1"), ("quiet", o, period)]
    return out


@case("K04 a renewal order that names the first transaction, which nobody knows", CHAIN)
def _(b):
    u = b.man("user")
    p, r, r2 = subscription(b, u, reported=False)
    r.fields["appAccountToken"] = u["token"]
    b.jws(r, u)
    o = b.order(dict(u, mode="none"), "vip.week", r2.bought + 2 * HOUR, "delivered", transaction_id=p.tid, entitlement_expires_at=r2.ends)
    return [("match", o, r2, "M4"), ("quiet", o, r2)]


@case("K05 an old id in the order of a new product", "exactly one open order carries the charge's token with that product")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "coins60", "04-05T10:00:00")
    o2, p2 = b.sale(u, "skin", "04-07T10:00:00", transaction_id=p.tid)
    return [("match", o, p, "M2"), ("match", o2, p2, "M2"), ("quiet", o2, p2)]


@case("K06 the family's copy of the same token", "FAMILY_SHARED transactions grant access and carry no money")
def _(b):
    u = b.man("user")
    at = day("04-05T10:00:00")
    o = b.order(u, "lifetime", at - 5 * MINUTE, "delivered")
    shared = b.share("lifetime", at - MINUTE, u["token"])
    p = b.buy("lifetime", at, u["token"])
    b.jws(shared, u), b.jws(p, u)
    return [("match", o, p, "M2"), ("quiet", o, p)]


@case("K07 signed after the clock", HELD)
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "coins60", "04-09T10:00:00", reported=False)
    b.jws(p, u, day("04-10T12:00:00"))["night"] = 0
    return [("on", 0, ("no charge", p)), ("on", 1, ("match", o, p, "M2")), ("match", o, p, "M2"), ("quiet", o, p)]


LATER = "M4: renewal of a subscription whose owner is known; a renewal order of that user for that period"


def bought_again(b, p, at, product="vip.week", **more):
    """A later purchase of a subscription: an upgrade, or a resubscription after its end."""
    again = _renewal(b, p, product, at, transactionReason="PURCHASE", **more)
    b.api([again], at + 60)
    return again


@case("K08 an upgrade and a resubscription, booked after Apple's message", LATER)
def _(b):
    out = []
    for names in (True, False):
        for product, at in (("svip.month", "04-05T10:00:00"), ("vip.week", "05-05T10:00:00")):
            u = b.man("none")
            o, p = b.sale(u, "vip.week", "04-02T10:00:00", transaction_id=str(b.number + 7))
            again = bought_again(b, p, day(at), product)
            o2 = b.order(u, product, again.bought + 3 * HOUR, "delivered", original_transaction_id=p.tid if names else None)
            out += [("match", o, p, "M1"), ("match", o2, again, "M4"), ("quiet", o2, again)]
    return out


@case("K09 two Apple accounts of one user: an order that names one subscription is not for the other", CHAIN)
def _(b):
    out = []
    for field in ("transaction_id", "original_transaction_id"):
        u = b.man("none")
        _, p = b.sale(u, "vip.week", "04-01T10:00:00", transaction_id=str(b.number + 7))
        _, q = b.sale(u, "vip.week", "04-01T12:00:00", transaction_id=str(b.number + 7))
        r = b.renewed(p)
        o = b.order(u, "vip.week", r.bought + 3 * HOUR, "delivered", **{field: q.tid})
        out += [("no match", o), ("break", "RENEWAL_NO_ORDER", None, r)]
    return out


@case("K10 the order of a period does not wait for the next purchase", LATER)
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "vip.week", "03-20T10:00:00")
    r = b.renewed(p)
    o2 = b.order(dict(u, mode="none"), "vip.week", r.bought + 3 * HOUR, "delivered")
    again = bought_again(b, r, day("05-05T10:00:00"))
    return [("match", o, p, "M2"), ("match", o2, r, "M4"), ("quiet", o2, r), ("break", "TX_NO_ORDER", None, again)]


CANDIDATE = "same user (by token, chain, or who uploaded the evidence), product, quantity; purchased inside the window after the order"


@case("K11 a renewal of nobody's subscription, uploaded by the user who ordered it", CANDIDATE)
def _(b):
    u = b.man("none")
    r = _renewal(b, b.buy("vip.week", day("03-20T10:00:00")), bought=day("04-03T10:00:00"))
    o = b.order(u, "vip.week", r.bought - 3 * HOUR, "delivered")
    b.jws(r, u)
    return [("match", o, r, "M6"), ("quiet", o, r)]
