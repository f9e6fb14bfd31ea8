"""Decisions of people between nights: part of a world's data, and which of them are in force in a later night.

    decisions      acts, in the order in which people made them. An act after night k is done before night k + 1:
      id, night    "X1"; the number of the night after whose run it was done
      act          force | unmatch | benign         said of an order and a charge, by two people
                   accept | dismiss | write_off     said of a break; a write-off by two people
                   approve | reject | withdraw      of an earlier proposal (`of`) that nobody had approved
                   undo                             of an earlier decision (`of`); of one that took two people by two people
      by, second   accounts: who proposes or decides, who approves; no `second` where two are needed: it stays a proposal
      order        of a pair
      charge       of a pair: environment, bundle, transaction id
      subject      of a break: its classes, order, charges (by label) as the oracle expected them
      until        of a break, an instant, or none

The ladder: "M0 decided: two people decided it (force-match, unmatch, benign duplicate); holds until withdrawn".
Breaks: "accepted, dismissed, written_off (...) by a person's decision, with case, people, reason; open = undecided + decided;
a new or stronger fact brings it back". Two people: "write-offs, forced matches and bans take two different people".
"""

import random

from world import DAY, HOUR, MINUTE, RENEWING

PEOPLE = ("ann", "ben", "eve")
PAIR = ("force", "unmatch", "benign")
BREAK = {"accept": "accepted", "dismiss": "dismissed", "write_off": "written_off"}
TWO = PAIR + ("write_off",)


def deciding(seed):
    """One world in three has people."""
    return seed % 3 == 2


def done_at(world, act):
    """The instant of an act: a quarter of an hour for each act of its night, from an hour after the run on."""
    same = [a["id"] for a in world["decisions"] if a["night"] == act["night"]]
    return world["nights"][act["night"]] + HOUR + 15 * MINUTE * same.index(act["id"])


def standing(acts):
    """The decisions in force after these acts: proposed, approved where that takes two, not taken back."""
    made = {}
    for a in acts:
        if a["act"] in PAIR or a["act"] in BREAK:
            made[a["id"]] = {"decision": a, "stands": a["act"] not in TWO or bool(a["second"]), "people": (a["by"], a["second"])}
        elif a["of"] in made:
            d = made[a["of"]]
            if a["act"] == "approve":
                d.update(stands=True, people=(d["people"][0], a["by"]))
            elif a["act"] in ("reject", "withdraw"):
                d["gone"] = True
            elif d["decision"]["act"] not in TWO or a["second"]:
                d.update(stands=False, gone=True)
    return made


def holds(made, at, nights):
    """Whether a decision on a break holds at an instant: True, False, or None when the facts have changed since. `nights`: the
    oracle's answers up to then."""
    act = made["decision"]
    if not made["stands"] or act["until"] and act["until"] <= at:
        return False
    then = nights[act["night"]].facts_of(act["subject"])
    same = then is not None and all(n.facts_of(act["subject"]) == then for n in nights[act["night"] + 1:])
    return True if same else None


def known(world, k):
    """The acts that a run of night k knows."""
    return [a for a in world.get("decisions", ()) if a["night"] < k]


def pairs(world, k):
    """The decisions on pairs that are in force in night k, oldest first; of several on one pair the newest counts."""
    last = {}
    for d in standing(known(world, k)).values():
        if d["stands"] and d["decision"]["act"] in PAIR:
            a = d["decision"]
            last.pop((a["order"], tuple(a["charge"])), None)
            last[a["order"], tuple(a["charge"])] = a
    return list(last.values())


# --- by chance, from what the oracle expects ------------------------------------------------------------------------

class Chooser:
    """Decisions for a world. Every order and charge is spoken of once, but for what takes a decision back or replaces it."""

    def __init__(self, world, nights, size):
        self.world, self.nights, self.size = world, nights, size
        self.rng = random.Random(f"decisions {world['seed']}")
        self.used, self.replaced = set(), set()
        self.count = 0
        world["decisions"] = []

    def people(self, act):
        by, second = self.rng.sample(PEOPLE, 2)
        return {"by": by, "second": second if act in TWO and self.rng.random() < 0.85 else None}

    def add(self, k, act, **more):
        self.count += 1
        made = {"id": f"X{self.count}", "night": k, "act": act, **self.people(act), **more}
        self.world["decisions"].append(made)
        return made

    def choose(self):
        for k in range(len(self.world["nights"])):
            night, self.following = self.nights(self.world, k), None
            self.follow_up(k)
            self.granted(k, night)
            for _ in range(self.size * self.rng.choice([2, 3, 4, 5]) if k + 1 < len(self.world["nights"]) else 1):
                if self.rng.random() < 0.55:
                    self.pair(k, night)
                else:
                    self.on_break(k, night)

    def granted(self, k, night):
        """People dismiss what the world wishes: the break of an order that is paid today and delivered in a later night."""
        for oid in self.world.get("wish", ()):
            if k == 0 and night.orders.get(oid, {}).get("status") == "paid" and self.rng.random() < 0.8:
                for subject in filter(None, map(subject_of, night.expected)):
                    if subject["order"] == oid and key_of(subject) not in self.used:
                        self.used |= {key_of(subject), oid}
                        self.add(k, "dismiss", subject=subject, until=None)
                        break

    def follow_up(self, k):
        """Earlier acts are approved at last, refused, withdrawn, undone or replaced."""
        rng = self.rng
        for d in list(standing(known(self.world, k)).values()):
            a, chance = d["decision"], rng.random()
            if d.get("gone") or a["id"] in self.replaced or a["id"] in {b.get("of") for b in self.world["decisions"] if b["act"] == "undo"}:
                continue
            if not d["stands"]:
                others = [p for p in PEOPLE if p != a["by"]]
                if chance < 0.3:
                    self.add(k, "approve", of=a["id"], by=rng.choice(others), second=None)
                elif chance < 0.45:
                    self.add(k, "reject", of=a["id"], by=rng.choice(others), second=None)
                elif chance < 0.6:
                    self.add(k, "withdraw", of=a["id"], by=a["by"], second=None)
            elif chance < 0.25:
                by, second = rng.sample(PEOPLE, 2)
                self.add(k, "undo", of=a["id"], by=by, second=second if a["act"] in TWO and rng.random() < 0.85 else None)
            elif chance < 0.35 and a["act"] in ("force", "unmatch"):
                new = self.add(k, "unmatch" if a["act"] == "force" else "force", order=a["order"], charge=a["charge"])
                self.replaced |= {a["id"], new["id"]}

    def pair(self, k, night):
        """Something about an order and a charge."""
        orders, found = night.orders, []
        for oid, (why, c) in night.refused.items():
            if why == "TAKEN":
                found += [("benign", oid, c)] * 3 + [("force", oid, c)]
            elif why in ("LATE_VERIFICATION", "PRODUCT_DIFF") or why == "USER_DIFF" and c.kind != RENEWING:
                found += [("force", oid, c)] * (3 if why == "LATE_VERIFICATION" else 1)
        for c, candidates in night.ambiguous.items():
            found += [("force", oid, c) for oid in candidates] * 2 + [("unmatch", oid, c) for oid in candidates]
        for c, (oid, _) in night.matched.items():
            found += [("unmatch", oid, c)] + ([("force", oid, c)] if self.rng.random() < 0.2 else [])
        alone = [c for c in night.charges if c not in night.matched and c.kind != RENEWING]
        for o in orders.values():
            fit = [c for c in alone if (c.environment, c.bundle, c.product) == (o["environment"], o["bundle_id"], o["product_id"])]
            if o["order_id"] not in night.order_of and o["order_id"] not in night.refused:
                found += [("force", o["order_id"], c) for c in fit if c.ownership == "PURCHASED"] * 2
        found = [x for x in found if x[1] not in self.used and x[2].label not in self.used and not x[2].conflict]
        if found:
            kinds = [a for a in ("force", "force", "unmatch", "benign", "benign") if a in {x[0] for x in found}]
            kind = self.rng.choice(kinds)
            act, oid, c = self.rng.choice([x for x in found if x[0] == kind])
            self.used |= {oid, *c.tids}
            self.add(k, act, order=oid, charge=[c.environment, c.bundle, c.label])

    def on_break(self, k, night):
        """Something about a break; more often about one whose facts change before the next night."""
        rng = self.rng
        found = [subject for subject in map(subject_of, night.expected) if subject and key_of(subject) not in self.used]
        if k + 1 < len(self.world["nights"]) and rng.random() < 0.5:
            self.following = self.following or self.nights(self.world, k + 1)
            found = [s for s in found if night.facts_of(s) != self.following.facts_of(s)] or found
        if not found:
            return
        subject = rng.choice(found)
        self.used.add(key_of(subject))
        until = None
        act = rng.choice(["accept", "accept", "dismiss", "dismiss", "write_off"])
        if act != "write_off" and rng.random() < 0.4:
            until = self.world["nights"][k] + rng.choice([12 * HOUR, 2 * DAY, 5 * DAY, 30 * DAY]) + 7 * MINUTE
        self.add(k, act, subject=subject, until=until)


def subject_of(e):
    """A break as plain data; none where the documents leave room for whether it is there."""
    if not e.must or e.transactions is not None or e.order is None and e.charges is None:
        return None
    return {"classes": sorted(e.classes), "order": e.order, "charges": sorted(e.charges) if e.charges is not None else None}


def key_of(subject):
    return (tuple(subject["classes"]), subject["order"], tuple(subject["charges"] or ()))


def decide(world, nights, size=1):
    """Gives a world its decisions. `nights`: the oracle, as a function of a world and a night; `size`: so many times as many."""
    Chooser(world, nights, size).choose()
    return world
