"""Carries out a world's decisions through the command line, and checks the status of breaks that the program reports.

From the program's output it takes ids only: of a case, a charge or a break, found by their subjects. A decision without an open case
(another proposal is pending there) is left out, for the oracle, too.
"""

import collections
import csv
import io
import json
import re

import decisions
from oracle import Expected
from world import HOUR, rfc

OPEN = {"new", "persisting", "reopened"}
DECIDED = {"accepted", "dismissed", "written_off"}
STANDING = OPEN | DECIDED
ACTION = {"force": "forced_match", "unmatch": "unmatch", "benign": "benign_duplicate", "accept": "accept", "dismiss": "dismiss",
          "write_off": "write_off"}
# The end of a break, by itself, ends a proposal about it: there is nothing left to approve.
GONE = "nothing of it stands any more"


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


class People:
    """The people of one world. `call(account, *arguments)` runs the program under an account and returns status, output and errors."""

    def __init__(self, world, call):
        self.world, self.call = world, call
        self.at = {a["id"]: decisions.done_at(world, a) for a in world["decisions"]}
        self.case_of, self.last_in = {}, {}           # act -> case, case -> the last decision in it
        self.booked = {}                              # act -> the rows of the breaks that it decided
        self.left_out, self.wrong = [], []
        self.states = collections.Counter()           # how often a break had to be decided, had to be open, or might be either

    def run(self, account, act, *arguments):
        """The output of a command; None if it is refused, which is right for an approval whose break has ended."""
        status, out, err = self.call(account, *arguments, "--as-of", rfc(self.at[act["id"]]))
        if status and not (act["act"] == "approve" and GONE in err):
            self.wrong.append((f"decision refused: {act['act']}",
                               f"{account} {' '.join(arguments)} ({json.dumps(act)}): exit {status}: {err.strip()[-300:]}"))
        return None if status else out

    def export(self, name, at):
        status, out, err = self.call("postgres", "export", name, "--as-of", rfc(at))
        if status:
            self.wrong.append(("export fails", f"{name}: {err[-300:]}"))
        return read(out)

    def night(self, k):
        """Carries out the decisions after night k. Returns faults as (kind, text)."""
        self.wrong, self.lists = [], None
        acts = [a for a in self.world["decisions"] if a["night"] == k]
        if acts:
            charges = self.export("charges", self.world["nights"][k])
            self.label = {c["charge_id"]: min(c["transaction_ids"].split(), default="?") for c in charges}
            self.charge = {(c["environment"], c["bundle_id"], tid): c["charge_id"] for c in charges
                           for tid in re.split(r"[\s;,|]+", c["transaction_ids"])}
        for act in acts:
            if not self.do(act):
                self.left_out.append(act)
                self.world["decisions"] = [a for a in self.world["decisions"] if act["id"] not in (a["id"], a.get("of"))]
        return self.wrong

    def do(self, act):
        if act not in self.world["decisions"]:
            return True                               # of a decision that was left out
        if act["act"] in ACTION:
            return self.propose(act)
        case = self.case_of[act["of"]]
        self.lists = None
        if act["act"] != "undo":
            return self.run(act["by"], act, "queue", act["act"], case, "--reason", act["id"]) is not None
        if self.last_in.get(case) != act["of"]:
            return False                              # the case went on in the meantime
        made = next(a for a in self.world["decisions"] if a["id"] == act["of"])
        out = self.run(act["by"], act, "queue", "undo", case, "--reason", act["id"])
        if out is None:
            return False
        two = made["act"] in decisions.TWO
        if not re.search(r"proposed 1" if two else r"undone 1", out):
            if made["act"] not in decisions.PAIR:     # what a stronger fact or its end took back already
                return False
            self.wrong.append(("undo not done", f"{json.dumps(act)} of {json.dumps(made)}: {out.strip()}"))
        if two and act["second"]:
            self.run(act["second"], act, "queue", "approve", case, "--reason", act["id"])
        return True

    def listed(self, act, again):
        """The cases and the open breaks; read once a night, and again for an act on a case that had another act that night."""
        if self.lists is None or again:
            cases = {(c["subject_kind"], c["subject_id"]): c for c in self.export("cases", self.at[act["id"]])}
            breaks = [dict(r, charge=self.label.get(r["charge_id"], r["charge_id"])) for r in self.export("breaks", self.at[act["id"]])
                      if r["status"] in OPEN]
            self.lists, self.spoken = (cases, breaks), set()
        return self.lists

    def propose(self, act, again=False):
        cases, breaks = self.listed(act, again)
        more = []
        if act["act"] in decisions.PAIR:
            charge = self.charge.get(tuple(act["charge"]))
            if charge is None:
                return False
            user = next((o["row"]["user_id"] for o in self.world["orders"] if o["row"]["order_id"] == act["order"]), None)
            free = {key: c for key, c in cases.items() if c["status"] == "open"}
            case = free.get(("user", user)) or free.get(("charge", charge)) or next(
                (c for c in free.values() if c["case_id"] not in self.last_in), None)
            more = ["--order", act["order"], "--charge", charge]
        else:
            s = act["subject"]
            meant = Expected(set(s["classes"]), s["order"], frozenset(s["charges"]) if s["charges"] is not None else None)
            rows = [(self.case_for(r, cases), r) for r in breaks if meant.covers(r)]
            case = next((c for c, _ in rows if c and c["status"] == "open"), None)
            rows = [r for c, r in rows if c and c is case]
            for r in rows:
                more += ["--break", r["break_id"]]
            if act["until"]:
                more += ["--until", rfc(act["until"])]
        if case is None:
            return False
        case = case["case_id"]
        if case in self.spoken:
            return self.propose(act, again=True)
        self.spoken.add(case)
        if self.run(act["by"], act, "queue", "take", case) is None:
            return False
        if self.run(act["by"], act, "queue", "decide", case, "--action", ACTION[act["act"]], "--reason", act["id"], *more) is None:
            return False
        self.case_of[act["id"]] = case
        if act["act"] in decisions.BREAK:
            self.booked[act["id"]] = rows
        self.last_in[case] = act["id"]
        if act["second"]:
            self.run(act["second"], act, "queue", "approve", case, "--reason", "yes, " + act["id"])
        return True

    def logins(self, at):
        """Checks who decided a case, by name and by login; here both are equal."""
        return [("a case's logins", json.dumps(c)) for c in self.export("cases", at)
                if any(c[f"{did}_by"] != c[f"{did}_account"] for did in ("decided", "approved"))]

    @staticmethod
    def case_for(row, cases):
        keys = [("user", row["user_id"])] if row["user_id"] else []
        keys += [("charge", row["charge_id"])] if row["charge_id"] else []
        keys += [("order", row["order_id"])] if row["order_id"] else []
        keys.append(("break", row["break_id"]))
        return next((cases[key] for key in keys if key in cases), None)

    # --- status of breaks

    def statuses(self, rows, at, nights):
        """What is wrong with the statuses of breaks at an instant; `nights`: the oracle's answers up to then."""
        done = [a for a in self.world["decisions"] if self.at[a["id"]] <= at]
        said = {}
        there = {r["break_id"]: r for r in rows if r["status"] in STANDING}
        for made in decisions.standing(done).values():
            act = made["decision"]
            for row in self.booked.get(act["id"], ()):
                said.setdefault(row["break_id"], []).append((made, row, decisions.holds(made, at, nights)))
        wrong = []
        for break_id, sayings in said.items():
            made, row, state = sayings[-1]
            if state and break_id not in there:
                wrong.append((f"a break that was {decisions.BREAK[made['decision']['act']]} is gone by its id though nothing changed",
                              f"{row['class']} {row['order_id'] or '-'} {row['transaction_id'] or '-'}: {json.dumps(made['decision'])}"))
        for r in rows:
            if r["status"] not in STANDING:
                continue
            about = " ".join((r["class"], r["order_id"] or "-", r["transaction_id"] or "-", r["break_id"]))
            holding = [x for x in said.get(r["break_id"], ()) if x[2] is not False]
            if not holding:
                self.states["holds no more"] += r["break_id"] in said
                if r["status"] in DECIDED:
                    wrong.append((f"break reported as {r['status']}, which nobody decided or no longer holds", about))
                continue
            made, row, state = holding[-1]
            self.states["holds" if state else "facts changed"] += 1
            act = made["decision"]
            word = decisions.BREAK[act["act"]]
            stronger = row["class"] != r["class"] and r["class"] not in act["subject"]["classes"]
            stronger = stronger or self.delivered_since(r["order_id"], nights[act["night"]], nights[-1])
            if row["currency"] == r["currency"] and row["amount_milliunits"] and r["amount_milliunits"]:
                stronger = stronger or int(r["amount_milliunits"]) > int(row["amount_milliunits"])
            # Another class is a new fact, also one of several that the documents leave open.
            if r["status"] in OPEN:
                if state and not stronger and row["class"] == r["class"]:
                    wrong.append((f"break {word} reported as {r['status']}", f"{about}: {json.dumps(act)}"))
            elif stronger:
                wrong.append((f"break still {r['status']} after a stronger fact",
                              f"{about}: was {row['class']} {row['amount_milliunits']}, is {r['amount_milliunits']}; {json.dumps(act)}"))
            else:
                until = rfc(act["until"]) if act["until"] else ""
                want = (word, made["people"][0], made["people"][1] or "", act["id"], until, self.case_of[act["id"]])
                got = (r["status"], r["decided_by"], r["approved_by"], r["reason"], r["until"], r["case_id"])
                if want != got:
                    wrong.append(("a decision's status, people, reason, until or case", f"{about}: decided {want}, reported {got}"))
        return wrong

    @staticmethod
    def delivered_since(oid, then, now):
        """Goods went out for an order that was only paid when people spoke of it: a stronger fact."""
        return bool(oid) and then.orders.get(oid, {}).get("status") == "paid" and now.orders.get(oid, {}).get("status") == "delivered"

    def in_queue(self, rows, at):
        """Every undecided break waits in a case."""
        cases = {(c["subject_kind"], c["subject_id"]): c for c in self.export("cases", at)}
        wrong = []
        for r in rows:
            case = self.case_for(r, cases) if r["status"] in OPEN else None
            if r["status"] in OPEN and (case is None or case["status"] not in ("open", "taken", "waiting_approval")):
                about = f"case {case['case_id']} {case['status']} {case['action']}" if case else "no case"
                wrong.append(("an undecided break in no open case",
                              f"{r['class']} {r['order_id'] or '-'} {r['transaction_id'] or '-'} user {r['user_id'] or '-'}: {about}"))
        return wrong

    def back_dated(self, now, earlier):
        """A decision with a clock before the last run: refused, or known from after that run only: any report
        replays byte for byte as of a past instant."""
        self.wrong, at = [], rfc(now - HOUR)
        case = next((c["case_id"] for c in self.export("cases", now - HOUR) if c["status"] == "open" and c["break_count"] != "0"), None)
        if case is None:
            return []
        self.call("ann", "queue", "take", case, "--as-of", at)
        status, _, _ = self.call("ann", "queue", "decide", case, "--action", "accept", "--reason", "back-dated", "--as-of", at)
        if status == 0 and self.export("breaks", now) != read(earlier):
            self.wrong.append(("a back-dated decision changes what a past night told", f"case {case}, accepted as of {at}"))
        return self.wrong

    def touched(self):
        """The ids of breaks that anybody spoke of."""
        return {r["break_id"] for rows in self.booked.values() for r in rows}
