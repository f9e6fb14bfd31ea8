"""The other columns of a break: user, amount at risk, app and environment, severity.

The product: "severity, amount at risk, currency"; 6: the columns `bundle_id, environment, order_id, charge_id, transaction_id, user_id,
amount_milliunits, currency`. The user of a break:

    with an order      the order's user
    of a charge alone  the owner of its chain, else the user of its token (2: "every token that a user ever held leads to that user unless
                       another user holds it too, then to nobody"; 4: "never against the known owner of the chain"), else an uploader
                       or nobody
    RENEWAL_MISSING    the user of the chain in `export subscriptions`
    of neither         an uploader (2: "our own upload ties it to that order or user")

The documents state the amount at risk of no class. So several figures are allowed: the money of one side, the difference, the
refund; always of this order and charge, in the currency of that side.
"""

from world import price_of

ORDERS = {"ORDER_NO_TX", "DUP_DELIVERY", "REPLAY_MULTI_USER", "USER_DIFF", "LATE_VERIFICATION", "PRODUCT_DIFF", "BUNDLE_DIFF", "SANDBOX_IN_PROD",
          "PROD_IN_SANDBOX", "FORGED_SIGNATURE", "GHOST_TX", "REFUND_ONLY_OURS", "PAID_NOT_DELIVERED", "CURRENCY_DIFF", "QUANTITY_DIFF",
          "REFUND_REVERSED_NOT_APPLIED", "DUP_CHARGE"}
CHARGES = {"TX_NO_ORDER", "RENEWAL_NO_ORDER", "RENEWAL_MISSING", "AMBIGUOUS_MATCH", "ID_CONFLICT", "DUP_CHARGE", "PAID_NOT_DELIVERED", "CURRENCY_DIFF",
           "QUANTITY_DIFF", "PRODUCT_DIFF", "USER_DIFF", "REPLAY_MULTI_USER", "DUP_DELIVERY", "LATE_VERIFICATION", "REFUND_ONLY_OURS",
           "PROD_IN_SANDBOX", "REFUND_REVERSED_NOT_APPLIED", "BUNDLE_DIFF"}
# Statements of Apple or the catalogue, not acts of a user. The documents leave open whether such a break names the buyer.
NOBODYS = {"PRICE_OFF_CATALOG", "FAMILY_NOT_SHAREABLE", "ID_CONFLICT", "APP_ID_DIFF"}
# Apple charged and our side lacks something for it: a refunded part is not at risk.
KEPT = {"TX_NO_ORDER", "RENEWAL_NO_ORDER", "AMBIGUOUS_MATCH", "DUP_CHARGE", "PAID_NOT_DELIVERED"}
REFUNDS = {"REFUND_NOT_APPLIED", "REFUND_NO_ORDER"}
SEVERITIES = ("low", "medium", "high", "critical")


def charge_of(night, row):
    found = [c for c in night.charges if c.label == row["charge"]]
    same = [c for c in found if (c.environment, c.bundle) == (row["environment"], row["bundle_id"])]
    return (same or found or [None])[0]


def differences(night, rows, subscriptions):
    """The wrong columns in an export of breaks or pending breaks, as (kind, text)."""
    for row in rows:
        c, o = charge_of(night, row), night.orders.get(row["order_id"])
        about = f"order {row['order_id'] or '-'} transaction {row['transaction_id'] or '-'}"
        for name, allowed in (("user", users(night, row, c, o, subscriptions)), ("transaction", transactions(night, row, c, o)),
                              ("bundle", bundles(night, row, c, o)), ("environment", environments(night, row, c, o)),
                              ("money", money(row, c, o))):
            printed = {"user": row["user_id"], "transaction": row["transaction_id"], "bundle": row["bundle_id"],
                    "environment": row["environment"], "money": (row["amount_milliunits"], row["currency"])}[name]
            if allowed is not None and printed not in allowed:
                wish = " or ".join(sorted(str(x or "nobody" if name == "user" else x or "-") for x in allowed))
                yield f"break {row['class']} {name}", f"{about}: oracle {wish}, payrecon {printed or '-'}"
        if row["class"] == "UNRECOGNIZED_VALUE":
            words = [e["strange"] for e in night.items if e.get("strange")] + list(night.unnamed_apps())
            if not any(word in row["detail"] for word in words):
                yield "break UNRECOGNIZED_VALUE detail", f"{about}: {row['detail']}; new are {words}"
        if "severity" in row:
            if row["severity"] not in SEVERITIES:
                yield f"break {row['class']} severity", f"{about}: {row['severity']}"
            # "SANDBOX_IN_PROD, severity high"
            if row["class"] == "SANDBOX_IN_PROD" and row["severity"] not in ("high", "critical"):
                yield "break SANDBOX_IN_PROD severity", f"{about}: {row['severity']}"


# --- who ------------------------------------------------------------------------------------------------------------

def owners(night, c):
    """The user of a charge: the chain's owner, else its token's user, else an uploader or nobody."""
    known = night.chain_owner(c) or night.token_user(night.token_of(c))
    if known:
        return {known}
    return night.uploads(c)[0] | {""}


def users(night, row, c, o, subscriptions):
    if o is not None:
        return {o["user_id"]}
    if row["order_id"]:
        return None                         # an order that is not known
    if c is None:
        return uploaders(night, row)
    if row["class"] == "RENEWAL_MISSING":
        printed = subscriptions.get((c.bundle, c.environment, c.otid)) if subscriptions is not None else None
        if printed is not None:
            return {printed}
    found = owners(night, c)
    if row["class"] in NOBODYS:
        found = found | {""}
    if c in night.matched:                  # the user of its order is allowed, too
        found = found | {night.orders[night.matched[c][0]]["user_id"]}
    return found


def items_of(night, row):
    if row["class"] in ("UNRECOGNIZED_VALUE", "MISSED_NOTIFICATION") and not row["transaction_id"]:      # of a message, not of a charge
        return [e for e in night.items if e.get("strange") or e["form"] == "missed"]
    return [e for e in night.items if row["transaction_id"] and any(tx["transactionId"] == row["transaction_id"] for tx in e["txs"])]


def uploaders(night, row):
    items = items_of(night, row)
    if not items:
        return {""}
    found = {(e["wrap"] or {}).get("user_id", "") for e in items if night.verdicts[e["id"]] != "genuine" or night.wrong_app(e)}
    if row["class"] == "FORGED_SIGNATURE":                  # its own token is not proven
        return found
    return found | {""} | {night.token_user(tx.get("appAccountToken")) or "" for e in items for tx in e["txs"]}


def unnamed(night, row):
    """The app that a finding about orders names because no setting does."""
    return {row["bundle_id"]} & set(night.unnamed_apps()) if row["class"] == "UNRECOGNIZED_VALUE" else set()


# --- where ----------------------------------------------------------------------------------------------------------

def transactions(night, row, c, o):
    if c is not None:
        return c.tids | ({o["transaction_id"]} if o and o.get("transaction_id") in c.tids else set())
    if o is None:
        return None if items_of(night, row) else {""}
    found = {"", o.get("transaction_id") or ""}
    for d in [d for _, d in night.claimed[o["order_id"]]] + [night.refused.get(o["order_id"], (None, None))[1]]:
        found |= d.tids if d else set()
    for e in night.items:
        if night.tied(e, o) or o.get("evidence_of") == e["id"]:
            found |= {tx["transactionId"] for tx in e["txs"]}
    for d in night.charges:                                 # a sandbox purchase under the order's own token
        if d.token and (o.get("app_account_token") or "").lower() == d.token.lower():
            found |= d.tids
    return found


def bundles(night, row, c, o):
    if o is not None:
        return {o["bundle_id"], c.bundle} if c else {o["bundle_id"]} | {e["bundle_id"] for e in items_of(night, row)}
    if c is not None:
        return {c.bundle}
    return {e["bundle_id"] for e in items_of(night, row)} | {""} | unnamed(night, row)


def environments(night, row, c, o):
    if o is not None:
        return {o["environment"]} | ({c.environment} if c else {e["environment"] for e in items_of(night, row)})
    if c is not None:
        return {c.environment}
    return {e["environment"] for e in items_of(night, row)} | {""} | ({"Production"} if unnamed(night, row) else set())


# --- how much -------------------------------------------------------------------------------------------------------

def figure(amount, currency):
    return (str(amount), currency or "") if amount is not None else ("", "")


def money(row, c, o):
    """The (amount, currency) that a class can have; None: nothing can be said."""
    name, found = row["class"], set()
    mine = figure(o.get("price_milliunits"), o.get("currency")) if o else None
    theirs = figure(c.price, c.currency) if c else None
    if c is not None and c.price is None and c.environment == "Production":      # reported by a receipt: the price of the catalogue is allowed, too
        theirs = None
    if name in REFUNDS:
        if c is None or c.refunded is None:
            return None
        return {figure(c.refunded, c.currency), theirs}
    if name == "AMOUNT_DIFF":
        if o is None or c is None or o.get("price_milliunits") is None:
            return None
        if c.state == "family":                             # carries no money: all that was booked is too much
            return {mine}
        return {figure(abs(o["price_milliunits"] - c.price), c.currency)} if c.price is not None else None
    if name == "PRICE_OFF_CATALOG":
        if c is None or c.price is None:
            return None
        return {figure(abs(c.price - price_of(c.product, c.currency) * c.quantity), c.currency)}
    if name == "FAMILY_NOT_SHAREABLE":
        return {("", ""), ("0", ""), ("0", "CNY")}
    if name in ("ENTITLEMENT_OVERRUN", "ENTITLEMENT_SHORT"):
        return None
    if name in ORDERS and mine:
        found.add(mine)
    if name in CHARGES and c is not None:
        if theirs is None:
            return None
        left = figure(c.price - c.refunded, c.currency) if c.price is not None and c.refunded else theirs
        found |= {left} if name in KEPT else {theirs, left}
        if name == "QUANTITY_DIFF" and o and o.get("price_milliunits") is not None and c.price is not None:
            found.add(figure(abs(o["price_milliunits"] - c.price), c.currency))
    if not found:
        return {("", "")} if c is None and o is None else None
    return found
