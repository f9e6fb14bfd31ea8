"""Table cases of decisions between nights, in the same world as those of cases.py.

Nights: 10 April, 11 April, 20 May 2026. What is decided after the first night shows in the second; what is taken back after the second
shows in the third. Besides the statements of cases.py:

    ("on", k, statement)        as of night k (from 0 on), not of the last
    ("holds", k, act, value)    whether the decision on a break holds in night k: True, False, None (the facts have changed)
"""

from cases import case, day
from world import HOUR, MINUTE, Purchase

LEFT = "payrecon ... hands people what is left; payrecon queue: works off what waits for a person: signals of live rules, and breaks"
TWO = "two people decided it (force-match, unmatch, benign duplicate); holds until withdrawn"


def on(*statements):
    """The same statements in the second night."""
    return [("on", 1, s) for s in statements]


def late(b):
    """A claim that comes long after the purchase: refused as LATE_VERIFICATION until people decide."""
    u = b.man("none")
    p = b.buy("coins60", day("03-05T10:00:00"))
    o = b.order(u, "coins60", day("04-05T10:00:00"), "delivered", transaction_id=p.tid)
    b.jws(p, u, o["row"]["created_at"] + 60)
    return u, o, p


# --- pairs ----------------------------------------------------------------------------------------------------------

@case("D01 support closes a late claim", TWO)
def _(b):
    _, o, p = late(b)
    b.pair("force", o, p)
    done = [("match", o, p, "M0"), ("quiet", o, p)]
    return [("on", 0, ("break", "LATE_VERIFICATION", o, None))] + on(*done) + done


@case("D02 a proposal alone forces nothing", "write-offs, forced matches and bans take two different people, by a database constraint")
def _(b):
    _, o, p = late(b)
    b.pair("force", o, p, second=None)
    return [("no match", o), ("break", "LATE_VERIFICATION", o, None), ("break", "TX_NO_ORDER", None, p)]


@case("D03 approved a night later", TWO)
def _(b):
    _, o, p = late(b)
    x = b.pair("force", o, p, second=None)
    b.act(1, "approve", by="eve", of=x)
    return on(("no match", o), ("break", "LATE_VERIFICATION", o, None)) + [("match", o, p, "M0"), ("quiet", o, p)]


@case("D04 rejected, or withdrawn by who proposed it", TWO)
def _(b):
    out = []
    for act, by in (("reject", "ben"), ("withdraw", "ann")):
        _, o, p = late(b)
        x = b.pair("force", o, p, second=None)
        b.act(1, act, by=by, of=x)
        out += [("no match", o), ("break", "LATE_VERIFICATION", o, None)]
    return out


@case("D05 a forced match is taken back by two", "holds until withdrawn")
def _(b):
    _, o, p = late(b)
    x = b.pair("force", o, p)
    b.undo(x, second="ben")
    return on(("match", o, p, "M0"), ("quiet", o, p)) + [
        ("no match", o), ("break", "LATE_VERIFICATION", o, None), ("break", "TX_NO_ORDER", None, p)]


@case("D06 one alone takes nothing back that two decided", "holds until withdrawn; two different people")
def _(b):
    _, o, p = late(b)
    x = b.pair("force", o, p)
    b.undo(x)
    return [("match", o, p, "M0"), ("quiet", o, p)]


def on_one_device(b):
    """Orders of two users of one device, and a purchase there."""
    one, two = b.man("none"), b.man("none")
    two["device"] = one["device"]
    at = day("04-05T10:00:00")
    o1, o2 = b.order(one, "coins60", at - 2 * MINUTE, "delivered"), b.order(two, "coins60", at - MINUTE, "delivered")
    p = b.buy("coins60", at)
    b.receipt(p, two)
    return o1, o2, p


@case("D07 people choose among candidates", "break AMBIGUOUS_MATCH with ranked candidates ... two people decided it")
def _(b):
    o1, o2, p = on_one_device(b)
    b.pair("force", o1, p)
    return [("on", 0, ("break", "AMBIGUOUS_MATCH", None, p)), ("match", o1, p, "M0"), ("quiet", o1, p), ("no match", o2),
            ("break", "ORDER_NO_TX", o2, None)]


@case("D08 people say which candidate it was not", "M6: exactly one candidate in both directions")
def _(b):
    o1, o2, p = on_one_device(b)
    b.pair("unmatch", o2, p)
    return [("match", o1, p, "M6"), ("quiet", o1, p), ("no match", o2), ("break", "ORDER_NO_TX", o2, None)]


def delivered_twice(b):
    """A purchase that two orders of its user name."""
    u = b.man("user")
    o, p = b.sale(u, transaction_id=str(b.number + 7))
    return o, p, b.named(u, p, HOUR)


@case("D09 the charge goes over to another order", "One active match per charge and one per order ... a new decision ends the old one")
def _(b):
    o, p, o2 = delivered_twice(b)
    b.pair("force", o2, p)
    return [("on", 0, ("match", o, p, "M1")), ("on", 0, ("break", "DUP_DELIVERY", o2, None)), ("match", o2, p, "M0"), ("no match", o),
            ("break", "DUP_DELIVERY", o, None)]


@case("D10 an order that was paid gets another charge", "One active match per charge and one per order")
def _(b):
    o, p = b.sale(b.man("order"))
    other = b.buy("coins60", p.bought + 3 * HOUR)
    b.jws(other)
    b.pair("force", o, other)
    return [("on", 0, ("match", o, p, "M2")), ("match", o, other, "M0"), ("break", "TX_NO_ORDER", None, p)]


@case("D1A an order that names its charge gets another", "DUP_CHARGE: one order paid by two distinct charges")
def _(b):
    out = []
    for reported in ("04-05T10:02:00", "04-20T10:00:00"):        # the named charge is reported before people decide, or long after
        u = b.man("user")
        o = b.order(u, "coins60", day("04-05T10:00:00"), "delivered", transaction_id=str(b.number + 7))
        p = b.buy("coins60", day("04-05T10:01:00"), u["token"])
        b.jws(p, u, day(reported))
        other = b.buy("coins60", day("04-05T13:00:00"))
        b.jws(other)
        b.pair("force", o, other)
        out += [("match", o, other, "M0"), ("break", "DUP_CHARGE", o, p)]
    return out


@case("D1B an order that names a charge of another product gets its own", "a genuine charge left without order stays TX_NO_ORDER")
def _(b):
    u = b.man("none")
    p, other = b.buy("coins648", day("04-05T10:01:00")), b.buy("coins60", day("04-05T13:00:00"))
    o = b.order(u, "coins60", day("04-05T10:00:00"), "delivered", transaction_id=p.tid)
    b.jws(p), b.jws(other)
    b.pair("force", o, other)
    return [("on", 0, ("break", "PRODUCT_DIFF", o, None)), ("match", o, other, "M0"), ("break", "TX_NO_ORDER", None, p)]


@case("D11 a forced match holds against better evidence", "a lower rung never displaces a higher one: M0 is the first")
def _(b):
    u, thief = b.man("none"), b.man("none")
    o, p = b.sale(u, reported=False)
    b.jws(p)
    b.pair("force", o, p)
    o2 = b.order(thief, "coins60", day("04-12T10:00:00"), "delivered", transaction_id=p.tid)
    return [("on", 0, ("no match", o)), ("match", o, p, "M0"), ("quiet", o, p), ("no match", o2)]


@case("D12 the forced pair lives on", "REFUND_NOT_APPLIED: refund on one side only")
def _(b):
    o, p = b.sale(b.man("none"), reported=False)
    b.jws(p)
    b.pair("force", o, p)
    p.refund(day("04-20T10:00:00"))
    b.notice("REFUND", p, day("04-20T10:00:05"))
    return on(("match", o, p, "M0"), ("quiet", o, p)) + [("match", o, p, "M0"), ("break", "REFUND_NOT_APPLIED", o, p)]


@case("D13 forced, though the products differ", "PRODUCT_DIFF: matched or claimed, but the sides disagree")
def _(b):
    u = b.man("user")
    p = b.buy("coins60", day("04-05T10:00:00"), u["token"])
    o = b.order(u, "coins648", p.bought - MINUTE, "delivered", transaction_id=p.tid)
    b.jws(p, u)
    b.pair("force", o, p)
    return [("match", o, p, "M0"), ("break", "PRODUCT_DIFF", o, p)]


@case("D14 people confirm what the ladder found", "M0, the first rung that hits")
def _(b):
    o, p = b.sale(b.man("user"))
    b.pair("force", o, p)
    return [("on", 0, ("match", o, p, "M2")), ("match", o, p, "M0"), ("quiet", o, p)]


@case("D15 unmatched", "TX_NO_ORDER: genuine Production charge, no order; ORDER_NO_TX: order paid or delivered, no genuine charge")
def _(b):
    out = []
    for named in (False, True):
        o, p = b.sale(b.man("user"), reported=False)
        if named:
            o["row"]["transaction_id"] = p.tid
        b.jws(p)
        b.pair("unmatch", o, p)
        for k in (1, 2):
            out += [("on", k, s) for s in (("no match", o), ("break", "TX_NO_ORDER", None, p), ("break", "ORDER_NO_TX", o, None))]
        out.append(("on", 0, ("match", o, p, "M1" if named else "M2")))
    return out


@case("D16 the unmatch is taken back", "holds until withdrawn")
def _(b):
    o, p = b.sale(b.man("user"))
    x = b.pair("unmatch", o, p)
    b.undo(x, second="ann")
    return on(("no match", o), ("break", "TX_NO_ORDER", None, p)) + [("match", o, p, "M2"), ("quiet", o, p)]


@case("D17 unmatched, the next claim has it", "several orders reach one charge on one rung: the earliest created_at, then order_id, wins")
def _(b):
    u, other = b.man("none"), b.man("none")
    p = b.buy("coins60", day("04-05T10:00:00"))
    o = b.order(u, "coins60", p.bought - MINUTE, "delivered", transaction_id=p.tid)
    o2 = b.order(other, "coins60", p.bought + HOUR, "delivered", transaction_id=p.tid)
    b.jws(p)
    b.pair("unmatch", o, p)
    return [("on", 0, ("match", o, p, "M1")), ("on", 0, ("break", "REPLAY_MULTI_USER", o2, None)), ("match", o2, p, "M1"),
            ("quiet", o2, p), ("no match", o)]


@case("D2J unmatched, and its order has another charge", "DUP_CHARGE: one order paid by two distinct charges; two people decided that this one did not pay it")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, "coins60", "03-20T10:00:00")
    other = b.buy("coins60", day("03-20T10:20:00"))
    b.jws(other, u)
    b.pair("unmatch", o, p)
    return [("match", o, other, "M6"), ("break", "TX_NO_ORDER", None, p), ("on", 0, ("match", o, p, "M2"))]


@case("D18 forced, then unmatched", "a new decision ends the old one")
def _(b):
    _, o, p = late(b)
    b.pair("force", o, p), b.pair("unmatch", o, p, night=1)
    return on(("match", o, p, "M0")) + [("no match", o), ("break", "TX_NO_ORDER", None, p)]


@case("D19 a benign duplicate", TWO)
def _(b):
    o, p, o2 = delivered_twice(b)
    b.pair("benign", o2, p)
    return [("on", 0, ("break", "DUP_DELIVERY", o2, None)), ("match", o, p, "M1"), ("quiet", o, p), ("quiet", o2, None), ("no match", o2)]


@case("D20 a benign duplicate by another user", TWO)
def _(b):
    u, other = b.man("user"), b.man("user")
    o, p = b.sale(u, transaction_id=str(b.number + 7))
    o2 = b.order(other, "coins60", p.bought + HOUR, "delivered")
    b.jws(p, other, p.bought + HOUR, o2)
    x = b.pair("benign", o2, p)
    b.undo(x, second="ben")
    return [("on", 0, ("break", "REPLAY_MULTI_USER", o2, None)), ("on", 1, ("quiet", o2, None)), ("on", 1, ("match", o, p, "M1")),
            ("break", "REPLAY_MULTI_USER", o2, None), ("match", o, p, "M1")]


@case("D2H a benign duplicate need not name the charge", TWO)
def _(b):
    u = b.man("none")
    o, p = b.sale(u, transaction_id=str(b.number + 7))
    o2 = b.order(u, "coins60", p.bought + HOUR, "delivered")
    b.pair("benign", o2, p)
    return [("on", 0, ("break", "ORDER_NO_TX", o2, None)), ("match", o, p, "M1"), ("quiet", o, p), ("quiet", o2, None), ("no match", o2)]


@case("D2I after an unmatch a token goes on telling whose the charge is", "one charge claimed by orders of different users")
def _(b):
    u, other = b.man("order"), b.man("none")
    o, p = b.sale(u)
    o2 = b.order(other, "coins60", p.bought + HOUR, "delivered", transaction_id=p.tid)
    b.pair("unmatch", o, p)
    return [("on", 0, ("match", o, p, "M2")), ("no match", o), ("no match", o2), ("break", "REPLAY_MULTI_USER", o2, None),
            ("break", "TX_NO_ORDER", None, p)]


@case("D21 a benign duplicate leaves the next purchase alone",
      "An order refused as a duplicate does not compete for the user's next purchase")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "season90", transaction_id=str(b.number + 7))
    o2 = b.order(u, "season90", p.bought + HOUR, "delivered", transaction_id=p.tid)
    b.pair("benign", o2, p)
    o3, p3 = b.sale(u, "season90", "04-12T10:00:00")
    return [("match", o, p, "M1"), ("match", o3, p3, "M2"), ("quiet", o3, p3), ("no match", o2), ("quiet", o2, None)]


# --- breaks ---------------------------------------------------------------------------------------------------------

def amiss(b):
    """An order at another price: AMOUNT_DIFF."""
    return b.sale(b.man("user"), price_milliunits=5000)


@case("D30 accepted, dismissed, written off", "the middle three by a person's decision, with case, people, reason")
def _(b):
    out = []
    for act, second in (("accept", None), ("dismiss", None), ("write_off", "ben")):
        o, p = amiss(b)
        x = b.on_break(act, "AMOUNT_DIFF", o, p, second=second)
        out += [("break", "AMOUNT_DIFF", o, p), ("holds", 1, x, True), ("holds", 2, x, True)]
    return out


@case("D31 a write-off that nobody approved", "write-offs ... take two different people")
def _(b):
    o, p = amiss(b)
    x = b.on_break("write_off", "AMOUNT_DIFF", o, p)
    return [("break", "AMOUNT_DIFF", o, p), ("holds", 1, x, False), ("holds", 2, x, False)]


@case("D32 until passes", "until; open = undecided + decided")
def _(b):
    o, p = amiss(b)
    x = b.on_break("accept", "AMOUNT_DIFF", o, p, until=day("04-15T00:00:00"))
    return [("break", "AMOUNT_DIFF", o, p), ("holds", 1, x, True), ("holds", 2, x, False)]


@case("D33 undone", "undo")
def _(b):
    out = []
    for act, second in (("accept", None), ("write_off", "ben")):
        o, p = amiss(b)
        x = b.on_break(act, "AMOUNT_DIFF", o, p, second=second)
        b.undo(x, second="eve" if second else None, by="ann")
        out += [("break", "AMOUNT_DIFF", o, p), ("holds", 1, x, True), ("holds", 2, x, False)]
    return out


@case("D34 what was accepted resolves by itself", "Breaks resolve by themselves when the facts do")
def _(b):
    u = b.man("order")
    o, p = b.sale(u, reported=False)
    x = b.on_break("accept", "ORDER_NO_TX", o)
    reported = b.jws(p, u)
    reported["night"] = 1
    return [("on", 0, ("break", "ORDER_NO_TX", o, None)), ("match", o, p, "M2"), ("quiet", o, p), ("holds", 1, x, None)]


@case("D35 a new fact: another class", "a new or stronger fact brings it back")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, reported=False, transaction_id=str(b.number + 7))
    o2 = b.order(u, "coins60", p.bought + HOUR, "delivered", transaction_id=p.tid)
    x = b.on_break("dismiss", "ORDER_NO_TX", o2)
    reported = b.jws(p, u)
    reported["night"] = 1
    return [("on", 0, ("break", "ORDER_NO_TX", o2, None)), ("match", o, p, "M1"), ("break", "DUP_DELIVERY", o2, None),
            ("holds", 1, x, None)]


@case("D36 a stronger fact: the claim of another user", "a new or stronger fact brings it back")
def _(b):
    u, owner = b.man("none"), b.man("user")
    p = b.buy("coins60", day("04-05T10:00:00"), owner["token"])
    thief = b.order(u, "coins60", p.bought - MINUTE, "delivered", transaction_id=p.tid)
    x = b.on_break("accept", "ORDER_NO_TX", thief)
    o = b.order(owner, "coins60", p.bought - MINUTE, "delivered")
    reported = b.jws(p, owner)
    reported["night"] = 1
    return [("on", 0, ("break", "ORDER_NO_TX", thief, None)), ("no match", thief), ("match", o, p, "M2"),
            ("break", "REPLAY_MULTI_USER", thief, None), ("holds", 1, x, None)]


@case("D37 a stronger fact: more money", "a new or stronger fact brings it back")
def _(b):
    o, p = amiss(b)
    x = b.on_break("accept", "AMOUNT_DIFF", o, p)
    b.update(o, day("04-12T10:00:00"), price_milliunits=1000)
    return [("break", "AMOUNT_DIFF", o, p), ("holds", 1, x, True), ("holds", 2, x, None)]


@case("D38 another difference of the same pair", "a new fact: it is a break of its own, undecided")
def _(b):
    o, p = amiss(b)
    x = b.on_break("write_off", "AMOUNT_DIFF", o, p, second="eve")
    p.refund(day("04-20T10:00:00"))
    b.notice("REFUND", p, day("04-20T10:00:05"))
    return [("break", "AMOUNT_DIFF", o, p), ("break", "REFUND_NOT_APPLIED", o, p), ("holds", 1, x, True), ("holds", 2, x, None)]


@case("D39 mended, and wrong again", "Breaks resolve by themselves when the facts do; a new fact brings it back")
def _(b):
    o, p = amiss(b)
    x = b.on_break("accept", "AMOUNT_DIFF", o, p)
    b.update(o, day("04-10T10:00:00"), price_milliunits=6000)
    b.update(o, day("04-12T10:00:00"), price_milliunits=5000)
    return on(("quiet", o, p)) + [("break", "AMOUNT_DIFF", o, p), ("holds", 1, x, None), ("holds", 2, x, None)]


# --- several decisions on one order or charge -----------------------------------------------------------------------

@case("D22 forced to one order, then to another", "Matches are never updated: a new decision ends the old one")
def _(b):
    u = b.man("none")
    p = b.buy("season90", day("04-05T10:00:00"))
    o, o2 = (b.order(u, "season90", p.bought + at, "delivered") for at in (HOUR, 2 * HOUR))
    b.jws(p)
    b.pair("force", o, p), b.pair("force", o2, p, night=1)
    return on(("match", o, p, "M0"), ("no match", o2)) + [("match", o2, p, "M0"), ("no match", o), ("quiet", o2, p)]


@case("D23 forced to one charge, then to another", "Matches are never updated: a new decision ends the old one")
def _(b):
    o, _ = b.sale(b.man("none"), "skin", reported=False)
    p, p2 = b.buy("skin", day("04-05T20:00:00")), b.buy("skin", day("04-06T20:00:00"))
    b.jws(p), b.jws(p2)
    b.pair("force", o, p), b.pair("force", o, p2, night=1)
    return on(("match", o, p, "M0"), ("break", "TX_NO_ORDER", None, p2)) + [("match", o, p2, "M0"), ("break", "TX_NO_ORDER", None, p)]


@case("D24 a renewal that was unmatched", "RENEWAL_NO_ORDER: renewal charged but not booked")
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "vip.week", "03-29T10:00:00")
    r = b.renewed(p, u)
    o2 = b.order(dict(u, mode="none"), "vip.week", r.bought + 2 * HOUR, "delivered", web_order_line_item_id=r.fields["webOrderLineItemId"])
    b.pair("unmatch", o2, r)
    return [("on", 0, ("match", o2, r, "M3")), ("match", o, p, "M2"), ("no match", o2), ("break", "RENEWAL_NO_ORDER", None, r),
            ("break", "ORDER_NO_TX", o2, None)]


@case("D25 a late renewal is given its order", TWO)
def _(b):
    u = b.man("user")
    o, p = b.sale(u, "vip.week", "03-22T10:00:00")
    r = b.renewed(p, u)
    o2 = b.order(dict(u, mode="none"), "vip.week", day("04-09T10:00:00"), "delivered")
    b.pair("force", o2, r)
    return [("on", 0, ("break", "RENEWAL_NO_ORDER", None, r)), ("match", o, p, "M2"), ("match", o2, r, "M0"), ("quiet", o2, None)]


@case("D26 forced across products at one price", "PRODUCT_DIFF: matched or claimed, but the sides disagree")
def _(b):
    u = b.man("user")
    p = b.buy("coins60", day("04-05T10:00:00"), u["token"])
    o = b.order(u, "coins648", p.bought - MINUTE, "delivered", transaction_id=p.tid, price_milliunits=p.fields["price"])
    b.jws(p, u)
    b.pair("force", o, p)
    return [("match", o, p, "M0"), ("break", "PRODUCT_DIFF", o, p)]


@case("D27 what the pair does not settle goes on waiting: of the charge", LEFT)
def _(b):
    o, p = b.sale(b.man("none"), "coins648", fate="created", reported=False)
    p.fields["price"] = o["row"]["price_milliunits"] = 548000
    b.jws(p)
    b.pair("force", o, p)
    return [("on", 0, ("break", "PRICE_OFF_CATALOG", None, p)), ("match", o, p, "M0"), ("break", "PRICE_OFF_CATALOG", None, p)]


@case("D28 what the pair does not settle goes on waiting: of the user", LEFT)
def _(b):
    u = b.man("none")
    o, p = b.sale(u, reported=False)
    b.jws(p)
    other = b.order(u, "season90", day("04-06T10:00:00"), "delivered")
    b.pair("force", o, p)
    return [("match", o, p, "M0"), ("quiet", o, p), ("break", "ORDER_NO_TX", other, None)]


@case("D29 what the pair does not settle goes on waiting: of both", LEFT)
def _(b):
    o, p = b.sale(b.man("user"), price_milliunits=5000)
    b.pair("force", o, p)
    return [("on", 0, ("match", o, p, "M2")), ("match", o, p, "M0"), ("break", "AMOUNT_DIFF", o, p)]


@case("D2A another order's double delivery goes on waiting", LEFT)
def _(b):
    o, p, o2 = delivered_twice(b)
    b.pair("force", o, p)
    return [("match", o, p, "M0"), ("quiet", o, p), ("break", "DUP_DELIVERY", o2, None)]


def renamed(b):
    """A period that a receipt reports without its line item, and in the third night Apple's transaction with it: one charge."""
    p = b.buy("vip.month", day("04-05T10:00:00"))
    bare = Purchase({k: v for k, v in p.fields.items() if k != "webOrderLineItemId"})
    b.receipt(bare), b.api([p], day("04-12T10:00:00"))
    return p


@case("D2B a decision holds when its charge is told better", "holds until withdrawn; told once with and once without a line item is one charge")
def _(b):
    u = b.man("none")
    p = renamed(b)
    o = b.order(u, "vip.month", p.bought - MINUTE, "delivered")
    b.pair("force", o, p)
    return on(("match", o, p, "M0")) + [("match", o, p, "M0"), ("quiet", o, None)]


@case("D2C an unmatch holds when its charge is told better", "holds until withdrawn; told once with and once without a line item is one charge")
def _(b):
    u = b.man("none")
    p = renamed(b)
    o = b.order(u, "vip.month", p.bought - MINUTE, "delivered", transaction_id=p.tid)
    b.pair("unmatch", o, p)
    return [("on", 0, ("match", o, p, "M1"))] + on(("no match", o)) + [("no match", o), ("break", "TX_NO_ORDER", None, p)]


@case("D2D an accepted break keeps its id when its charge is told better", "A break has a stable id = hash(class family, subject)")
def _(b):
    p = renamed(b)
    x = b.on_break("accept", "TX_NO_ORDER", None, p)
    return [("break", "TX_NO_ORDER", None, p), ("holds", 1, x, True)]


def stated_again(b, product="vip.month", at="04-05T10:00:00"):
    """The same, reported by a later receipt: only the line item is new."""
    p = b.buy(product, day(at))
    bare = Purchase({k: v for k, v in p.fields.items() if k != "webOrderLineItemId"})
    b.receipt(bare), b.receipt(p, at=day("04-12T10:00:00"))
    return p


@case("D2E decisions on breaks hold when their charge is told better",
      "accepted, dismissed, written_off by a person's decision; a new or stronger fact brings it back; "
      "told once with and once without a line item is one charge")
def _(b):
    out = []
    for act, second in (("accept", None), ("dismiss", None), ("write_off", "ben")):
        p = stated_again(b)
        x = b.on_break(act, "TX_NO_ORDER", None, p, second=second)
        out += [("break", "TX_NO_ORDER", None, p), ("holds", 1, x, True), ("holds", 2, x, True)]
    return out


@case("D2F a decision on a pair's break holds when its charge is told better",
      "a new or stronger fact brings it back; told once with and once without a line item is one charge")
def _(b):
    u = b.man("none")
    p = stated_again(b)
    o = b.order(u, "vip.month", p.bought - MINUTE, "paid", transaction_id=p.tid)
    x = b.on_break("accept", "PAID_NOT_DELIVERED", o, p)
    return [("break", "PAID_NOT_DELIVERED", o, p), ("holds", 2, x, True)]


@case("D2G what was taken back stays so when the charge is told better", "until; open = undecided + decided")
def _(b):
    p, p2 = stated_again(b), stated_again(b)
    x = b.on_break("accept", "TX_NO_ORDER", None, p)
    b.undo(x)
    y = b.on_break("dismiss", "TX_NO_ORDER", None, p2, until=day("04-30T00:00:00"))
    return [("break", "TX_NO_ORDER", None, p), ("break", "TX_NO_ORDER", None, p2), ("holds", 1, y, True), ("holds", 2, y, False)]


@case("D2H a proposal waits where it was made, though its charge is a user's today", TWO)
def _(b):
    u = b.man("none")
    token = "b8000000-0000-4000-8000-000000000008"
    p = b.buy("skin", day("04-05T12:00:00"), token)
    b.api([p], p.bought + 60)
    o = b.order(u, "coins60", p.bought - MINUTE, "created")
    x = b.pair("force", o, p, second=None)
    b.list_user(u, 1, token)
    b.act(1, "approve", by="eve", of=x)
    return [("on", 1, ("break", "TX_NO_ORDER", None, p)), ("match", o, p, "M0")]
