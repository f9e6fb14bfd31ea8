"""Runs the built program on a world, night by night, and compares its exports with the oracle's answer.

Every difference is one line: night, kind, subject, both sides. The kind leaves out ids, so that differences of many worlds can
be counted by it, and a world can be reduced as long as a difference of the kind remains.
"""

import collections
import concurrent.futures
import csv
import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

import attributes
import decisions
import verify_receipt
import world as worlds
from oracle import Night
from people import DECIDED, OPEN, STANDING, People, read
from world import instant, rfc

INSTANTS = ("created_at", "updated_at", "paid_at", "delivered_at", "refunded_at", "entitlement_expires_at")
ORDER_COLUMNS = ["order_id", "bundle_id", "product_id", "user_id", "status", "created_at", "updated_at", "environment", "quantity",
                 "price_milliunits", "currency", "storefront", "paid_at", "delivered_at", "refunded_at", "entitlement_expires_at",
                 "app_account_token", "transaction_id", "original_transaction_id", "web_order_line_item_id", "device_id",
                 "evidence_sha256"]
BY_NIGHT = {"STALE_INPUT", "FORGED_STORM"}      # belong to the nights in which input came


@dataclass
class Difference:
    night: int
    kind: str
    text: str

    def __str__(self):
        return f"night {self.night + 1}: {self.kind}: {self.text}"


class Cluster:
    """A PostgreSQL cluster of our own on a unix socket, shared by many worlds. Run by `postgres` when we are root."""

    BIN = os.environ.get("PAYRECON_PG_BIN", "/usr/lib/postgresql/15/bin")

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="payrecon-oracle2-")
        self.data = os.path.join(self.folder, "data")
        self.root = os.geteuid() == 0
        if self.root:
            shutil.chown(self.folder, "postgres")
        os.chmod(self.folder, 0o755)
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8")
        self._run("pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.folder, "log"), "-o",
                  f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off -c full_page_writes=off "
                  "-c synchronous_commit=off -c jit=off -c shared_buffers=64MB -c autovacuum=off", "start")
        self.count = 0

    def _run(self, program, *arguments):
        command = [os.path.join(self.BIN, program), *arguments]
        if self.root:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def sql(self, text):
        subprocess.run([os.path.join(self.BIN, "psql"), "-h", self.folder, "-U", "postgres", "-qX", "-v", "ON_ERROR_STOP=1", "-c", text],
                       check=True, cwd="/", stderr=subprocess.DEVNULL)

    def database(self, template=None):
        self.count += 1
        name = f"w{self.count}"
        self.sql(f"create database {name}" + (f" template {template}" if template else ""))
        return name

    def drop(self, name):
        self.sql(f"drop database if exists {name} with (force)")

    def url(self, name, account="postgres"):
        return f"host={self.folder} user={account} dbname={name}"

    def stop(self):
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


class Program:
    def __init__(self, binary, sql):
        self.binary, self.sql = binary, sql
        help_text = subprocess.run([binary, "nightly", "--help"], capture_output=True, text=True).stdout
        self.accepts = "--accept-settings" in help_text

    def call(self, environment, *arguments):
        done = subprocess.run([self.binary, *arguments], capture_output=True, text=True,
                              env={**os.environ, "PAYRECON_SQL_DIR": self.sql, **environment}, timeout=300)
        return done.returncode, done.stdout, done.stderr


def settings_yaml(settings, secret=None):
    text = "apps:\n"
    for bundle in settings["apps"]:
        text += f"  - bundle_id: {bundle}\n    apple_id: {worlds.APPLE_ID[bundle]}\n    time_zone: Asia/Shanghai\n"
        if bundle in settings.get("starts", {}):
            text += f"    reconcile_from: {rfc(settings['starts'][bundle])}\n"
        if secret:
            text += f"    api: {{shared_secret_file: {secret}}}\n"
        if settings["testers"]:
            text += f"    testers: [{', '.join(settings['testers'])}]\n"
        if settings["windows"]:
            text += "    review_windows:\n"
            for w in settings["windows"]:
                text += f"      - {{from: {rfc(w['from'])}, to: {rfc(w['to'])}, users: [{', '.join(w['users'])}]}}\n"
    return text


def write_csv(path, columns, rows):
    with open(path, "w", newline="") as f:
        out = csv.DictWriter(f, columns, lineterminator="\n", extrasaction="ignore")
        out.writeheader()
        out.writerows(rows)


def hash_of(item, rendered):
    """The hash by which an order names an item: of the compact JWS, or of the bytes as they came."""
    raw, parts = rendered[item["id"]]
    return worlds.sha256(parts[-1].encode() if item["form"] in ("jws", "notification") else raw)


def write_night(world, k, folder, rendered):
    """The inbox of one night."""
    os.makedirs(folder)
    if k == 0:
        write_csv(os.path.join(folder, "catalogue.csv"), list(world["catalogue"][0]), world["catalogue"])
    users = [u["row"] for u in world["users"] if u["night"] == k]
    if users:
        write_csv(os.path.join(folder, "users.csv"), ["user_id", "app_account_token", "is_tester"], users)
    rows = []
    for version in world["orders"]:
        if version["night"] == k:
            row = {name: rfc(v) if name in INSTANTS and v is not None else v for name, v in version["row"].items()}
            named = next((e for e in world["evidence"] if e["id"] == row.get("evidence_of")), None)
            if named:
                row["evidence_sha256"] = hash_of(named, rendered)
            rows.append({name: "" if v is None else v for name, v in row.items()})
    if rows:
        write_csv(os.path.join(folder, "orders.csv"), ORDER_COLUMNS, rows)
    lines, plain, number = [], [], 0
    for item in world["evidence"]:
        if item["night"] != k or item["form"] == "answer":
            continue
        raw, _ = rendered[item["id"]]
        if item["wrap"]:
            wrap = dict(item["wrap"], evidence=raw.decode(), received_at=rfc(world["nights"][k] - 1800))
            lines.append(json.dumps(wrap))
        elif item.get("der"):
            number += 1
            with open(os.path.join(folder, f"apple-{number}.der"), "wb") as f:
                f.write(raw)
        else:
            plain.append(raw.decode())
    for name, content in (("apple.ndjson", lines), ("apple-plain.txt", plain)):
        if content:
            with open(os.path.join(folder, name), "w") as f:
                f.write("\n".join(content) + "\n")


def write_settings(settings, k, folder, has_secret):
    """Writes settings, roots and, if the app has one, the shared secret of night k; returns the variables that name them."""
    roots, path = os.path.join(folder, f"roots{k + 1}"), os.path.join(folder, f"night{k + 1}.yaml")
    os.makedirs(roots, exist_ok=True)
    for name in settings["roots"]:
        with open(os.path.join(roots, name), "wb") as f:
            f.write(worlds.pki("apple").roots()[name])
    secret = os.path.join(folder, "secret") if has_secret else None
    if secret:
        with open(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), "w") as f:
            f.write("s3cret")
    with open(path, "w") as f:
        f.write(settings_yaml(settings, secret))
    return {"PAYRECON_CONFIG": path, "PAYRECON_APPLE_ROOTS": roots}


def rendered_items(world):
    """The bytes of each item; a repeated item has the same bytes."""
    rendered = {}
    for item in world["evidence"]:
        rendered[item["id"]] = rendered[item["same"]] if item.get("same") in rendered else worlds.render(item)
    return rendered


def ids(text):
    return [x for x in re.split(r"[\s;,|{}\[\]\"]+", text) if x]


class Comparison:
    def __init__(self, program, cluster, template=None, keep=None):
        self.program, self.cluster, self.template, self.keep = program, cluster, template, keep
        self.accounts = False
        self.acts, self.left_out = collections.Counter(), collections.Counter()      # what people did, and what found no open case
        self.states = collections.Counter()

    def run(self, world, replay=False, batching=False):
        """All differences of a world."""
        differences, printed = self.nights(world, replay)
        changing = any(s != world["settings"][0] for s in world["settings"])
        if batching and printed and len(world["nights"]) > 1 and not changing and not world.get("decisions") and not world.get("answers"):
            _, whole = self.nights(at_once(world), False)
            if whole:
                one, two = outcome(printed[-1]), outcome(whole[-1])
                for line in sorted(one ^ two):
                    differences.append(Difference(len(printed) - 1, "depends on batching: " + line.split(" ")[0],
                                                  ("night by night: " if line in one else "all at once: ") + line))
        return differences

    def decided_anew(self, environment, k, now):
        """A full run after a night changes nothing."""
        for job in ("match", "detect"):
            status, out, err = self.program.call(environment, job, "--full", "--dry-run", "--as-of", rfc(now))
            rows = [r for r in read(out) if r] if out else []
            if status not in (0, 1, 3) or rows:
                yield Difference(k, f"{job} of everything differs", f"exit {status}, {len(rows)} rows: {list(rows[0].values()) if rows else err[-300:]}")

    def nights(self, world, replay):
        """Runs a world night by night: the differences, and what the program exported each night."""
        differences, printed, nights = [], [], []
        world = dict(world, decisions=list(world.get("decisions", ())), evidence=list(world["evidence"]))
        people, environment = None, {}
        store = verify_receipt.Store() if world.get("answers") else None
        if world["decisions"]:
            self.make_accounts()
            people = People(world, lambda account, *arguments: self.program.call(
                {**environment, "PAYRECON_DATABASE_URL": self.cluster.url(database, account)}, *arguments))
        folder = self.keep or tempfile.mkdtemp(prefix="payrecon-world-")
        database = self.cluster.database(self.template)
        try:
            rendered = rendered_items(world)
            if self.keep:
                with open(os.path.join(folder, "world.json"), "w") as f:
                    json.dump(world, f, indent=1)
            for k, now in enumerate(world["nights"]):
                inbox = os.path.join(folder, f"night{k + 1}")
                write_night(world, k, inbox, rendered)
                environment |= write_settings(world["settings"][k], k, folder, has_secret=store is not None)
                environment |= {"PAYRECON_DATABASE_URL": self.cluster.url(database), "PAYRECON_STATE_DIR": os.path.join(folder, "state")}
                if store and k:
                    differences += [Difference(k, "collect receipts fails", text) for text in store.collect(
                        world, k, rendered, lambda *arguments: self.program.call({**environment, **store.environment}, *arguments))]
                more = ["--accept-settings"] if self.program.accepts and k and world["settings"][k] != world["settings"][k - 1] else []
                status, out, err = self.program.call(environment, "nightly", "--inbox", inbox, "--as-of", rfc(now),
                                                     "--out", os.path.join(folder, f"report{k + 1}"), *more)
                if status not in (0, 1, 3):
                    differences.append(Difference(k, "nightly fails", f"exit {status}: {(out + err)[-600:]}"))
                    break
                differences += wrong_sums(k, out)
                if k + 1 < len(world["nights"]) and world["seed"] % 3 and not replay and not people:
                    continue                                # costs time; two worlds in three without decisions show their end
                if k + 1 < len(world["nights"]) or world["seed"] % 3 == 0:      # costs time, too
                    differences += self.decided_anew(environment, k, now)
                names = ["charges", "matches", "breaks"]
                if k + 1 == len(world["nights"]) or any(s != world["settings"][0] for s in world["settings"]):
                    names += ["subscriptions", "evidence", "pending"]
                exports, found = self.export(names, environment, k, now)
                differences += found
                printed.append(exports)
                differences += wrong_status(k, status, out, read(exports["breaks"]))
                if k and len(printed) == k + 1:
                    differences += steady(k, read(printed[k - 1]["breaks"]), read(exports["breaks"]), people.touched() if people else ())
                rows = {n: read(t) for n, t in exports.items()}
                night, found = self.nearest(world, k, rows, rendered)
                differences += found
                if people:
                    nights.append(night)
                    differences += self.decide(people, k, nights, rows["breaks"])
            if people:
                self.acts.update(a["act"] for a in world["decisions"] if a not in people.left_out)
                self.left_out.update(a["act"] for a in people.left_out)
                self.states += people.states
            if replay and len(printed) == len(world["nights"]):
                differences += self.changed_past(world, environment, printed)
                if people:
                    k = len(printed) - 1
                    differences += [Difference(k, *x) for x in people.back_dated(world["nights"][k], printed[k]["breaks"])]
        finally:
            if store:
                store.stop()
            self.cluster.drop(database)
            if not self.keep:
                shutil.rmtree(folder, ignore_errors=True)
        return differences, printed

    def export(self, names, environment, k, now):
        """The texts of some exports after night k, and the differences of those that fail."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda name: self.program.call(environment, "export", name, "--as-of", rfc(now)), names))
        failed = [Difference(k, "export fails", f"{name}: exit {status}: {err[-400:]}")
                  for name, (status, _, err) in zip(names, answers) if status]
        return {name: out for name, (_, out, _) in zip(names, answers)}, failed

    def changed_past(self, world, environment, printed):
        """The exports of past nights that are not as they were then."""
        for k, now in enumerate(world["nights"][:-1]):
            for name in ("charges", "matches", "breaks"):
                _, out, _ = self.program.call(environment, "export", name, "--as-of", rfc(now))
                if out != printed[k][name]:
                    yield Difference(k, f"export {name} of a past night has changed", line_difference(printed[k][name], out))

    def nearest(self, world, k, rows, rendered):
        """The oracle's answer, and what differs; where the documents allow two readings the nearer one counts."""
        night = Night(world, k)
        found = self.compare(k, night, rows, rendered)
        for other in night.readings() if found else ():
            nearer = self.compare(k, other, rows, rendered)
            if len(nearer) < len(found):
                night, found = other, nearer
        return night, found

    def make_accounts(self):
        """The logins of people; they belong to the cluster, so once is enough."""
        if not self.accounts:
            for name in decisions.PEOPLE:
                self.program.call({"PAYRECON_DATABASE_URL": self.cluster.url(self.template)}, "database", "accounts", "add", name)
            self.accounts = True

    @staticmethod
    def decide(people, k, nights, rows):
        """Compares the status of breaks after night k, carries out the decisions of people, and compares again."""
        now = nights[k].now
        wrong = people.statuses(rows, now, nights) + people.in_queue(rows, now)
        acts = [a for a in people.world["decisions"] if a["night"] == k]
        if acts:
            wrong += people.night(k)
            after = max(people.at[a["id"]] for a in acts) + 60
            wrong += people.statuses(people.export("breaks", after), after, nights) + people.logins(after)
        return [Difference(k, kind, text) for kind, text in wrong]

    @staticmethod
    def compare(k, night, exports, rendered):
        """The differences of a night's exports from the oracle's answer."""
        for row in exports["charges"]:
            row["label"] = min(ids(row["transaction_ids"]), default="?")
        label_of = {row["charge_id"]: row["label"] for row in exports["charges"]}
        breaks = [r for r in exports["breaks"] if r["status"] in STANDING]
        for row in breaks + exports.get("pending", []):
            row["charge"] = label_of.get(row["charge_id"], row["charge_id"])
        whose = None
        if "subscriptions" in exports:
            whose = {(r["bundle_id"], r["environment"], r["original_transaction_id"]): r["user_id"] for r in exports["subscriptions"]}
        found = [*charge_differences(night, exports["charges"]), *match_differences(night, exports["matches"], label_of),
                 *break_differences(night, breaks), *attributes.differences(night, breaks, whose)]
        if "subscriptions" in exports:
            found += pending_differences(night, exports["pending"])
            found += [("pending " + kind, text) for kind, text in attributes.differences(night, exports["pending"], whose)]
            found += subscription_differences(night, exports["subscriptions"])
            found += verdict_differences(night, exports["evidence"], rendered)
        return [Difference(k, kind, text) for kind, text in found]


def wrong_sums(k, out):
    """The inputs of a night whose counts do not add up."""
    for a in re.finditer(r"(\w+) +input (\d+) = accepted (\d+) \+ repeated (\d+) \+ ignored (\d+) \+ parked (\d+)", out):
        total, *parts = map(int, a.groups()[1:])
        if total != sum(parts):
            yield Difference(k, "input is not accepted + repeated + ignored + parked", a.group(0))


def wrong_status(k, status, out, breaks):
    """Exit status and summary of a night against its export of breaks."""
    undecided, decided = ([r for r in breaks if r["status"] in words] for words in (OPEN, DECIDED))
    if status == 0 and undecided:
        yield Difference(k, "exit 0 beside open breaks", f"{len(undecided)}, the first {undecided[0]['class']}")
    if status == 1 and not undecided:
        yield Difference(k, "exit 1 without an open break", out[:200])
    stale = any(r["class"] == "STALE_INPUT" for r in undecided)
    if stale != (status == 3):        # "Missing input can never come out better than incomplete"; nothing else is missing here
        yield Difference(k, f"exit {status} {'beside' if stale else 'without'} late input", out[:300])
    summary = re.search(r"^breaks +(\d+) breaks(?: \([^)]*\))?(?:, (\d+) decided)?", out, re.M)
    if summary and (int(summary[1]), int(summary[2] or 0)) != (len(undecided), len(decided)):
        yield Difference(k, "the summary counts other breaks than the export",
                         f"{summary[0]!r}; export: {len(undecided)} undecided, {len(decided)} decided")


def charge_differences(night, rows):
    """Charges of the oracle against the export."""
    theirs = {}
    for row in rows:
        theirs.setdefault(row["environment"] + " " + row["bundle_id"] + " " + row["label"], []).append(row)
    mine = {f"{c.environment} {c.bundle} {c.label}": c for c in night.charges}
    for key in sorted(mine.keys() - theirs.keys()):
        yield "charge missing", f"{key} {mine[key].product}"
    for key in sorted(theirs.keys() - mine.keys()):
        yield "charge unexpected", f"{key} {theirs[key][0]['product_id']}"
    for key in sorted(mine.keys() & theirs.keys()):
        c, same = mine[key], theirs[key]
        if len(same) > 1:
            yield "charge twice", f"{key}: {[r['charge_id'] for r in same]}"
        row = same[0]
        pairs = {"transaction_ids": (sorted(c.tids), sorted(ids(row["transaction_ids"]))),
                 "product_id": (c.product, row["product_id"]), "type": (c.kind, row["type"]),
                 "original_transaction_id": (c.otid, row["original_transaction_id"]),
                 "web_order_line_item_id": (c.line or "", row["web_order_line_item_id"]),
                 "purchased_at": (c.bought, instant(row["purchased_at"])), "expires_at": (c.expires, instant(row["expires_at"])),
                 "quantity": (str(c.quantity), row["quantity"]),
                 "price_milliunits": ("" if c.price is None else str(c.price), row["price_milliunits"]),
                 "currency": (c.currency or "", row["currency"]), "ownership": (c.ownership, row["ownership"]),
                 "state": (c.state, row["state"]), "app_account_token": ((c.token or "").lower(), row["app_account_token"].lower())}
        if c.refunded is not None:
            pairs["refunded_milliunits"] = (str(c.refunded), row["refunded_milliunits"] or "0")
        for name, (expected, actual) in pairs.items():
            if expected != actual:
                yield f"charge {name}", f"{key} {c.product}: oracle {expected}, payrecon {actual}"


def match_differences(night, rows, label_of):
    """Matches of the oracle against the export, of which any rung that it allows passes."""
    real = {row["order_id"]: row for row in rows}
    want = {oid: (c, rungs) for c, (oid, rungs) in night.matched.items()}
    for oid in sorted(want.keys() | real.keys()):
        c, rungs = want.get(oid, (None, set()))
        row = real.get(oid)
        label = label_of.get(row["charge_id"], "?") if row else None
        if row is None:
            yield f"match missing {'/'.join(sorted(rungs))}", f"{oid} with {c.label} ({c.product})"
        elif c is None:
            yield f"match unexpected {row['rung']}", f"{oid} with {label}"
        elif label != c.label:
            yield "match with another charge", f"{oid}: oracle {c.label} {'/'.join(sorted(rungs))}, payrecon {label} {row['rung']}"
        elif row["rung"] not in rungs:
            yield f"match rung {'/'.join(sorted(rungs))} reported as {row['rung']}", f"{oid} with {label}"


def break_differences(night, rows):
    """Breaks that the oracle demands, and exported ones that it does not allow."""
    for e in night.expected:
        if e.must and not any(e.covers(r) for r in rows):
            about = " ".join(x for x in (e.order, "/".join(sorted(e.charges or ()))) if x)
            also = [f"{r['class']}({r['order_id']},{r['charge']})" for r in rows
                    if (e.order and r["order_id"] == e.order) or (e.charges and r["charge"] in e.charges)]
            yield f"break missing {'/'.join(sorted(e.classes))}", f"{about}: {e.why}; payrecon has {', '.join(also) or 'nothing'}"
    for row in rows:
        if not any(e.covers(row) for e in night.expected):
            musts = [f"{'/'.join(sorted(e.classes))}" for e in night.expected
                     if (e.order and e.order == row["order_id"]) or (e.charges and row["charge"] in e.charges)]
            yield (f"break unexpected {row['class']}", f"order {row['order_id'] or '-'} charge {row['charge'] or '-'} "
                   f"transaction {row['transaction_id'] or '-'}: {row['detail']}; oracle has {', '.join(musts) or 'nothing'}")


def pending_differences(night, rows):
    """Pending breaks that the oracle demands."""
    for e in night.pending:
        if not any(e.covers(r) for r in rows):
            about = " ".join(x for x in (e.order, "/".join(sorted(e.charges or ()))) if x)
            yield f"pending missing {'/'.join(sorted(e.classes))}", f"{about}: {e.why}"


def subscription_differences(night, rows):
    """Subscriptions of the oracle against the export."""
    real = {(r["bundle_id"], r["environment"], r["original_transaction_id"]): r for r in rows}
    for key in sorted(night.subscriptions.keys() | real.keys()):
        s, row = night.subscriptions.get(key), real.get(key)
        if row is None or s is None:
            yield "subscription missing" if row is None else "subscription unexpected", " ".join(key)
            continue
        status = row["status"].lower()
        if s["status"] and status not in s["status"] and not (s["status"] == {"not active"} and status not in ("active", "grace")) \
                and not any(status.replace("_", "") in want.replace("_", "") or want in status for want in s["status"] if want != "not active"):
            yield f"subscription status {'/'.join(s['status'])} reported as {status}", f"{key[2]} as of {rfc(night.now)}, {row}"
        if row["product_id"] not in s["products"]:
            yield "subscription product", f"{key[2]}: oracle {s['products']}, payrecon {row['product_id']}"
        if (row["user_id"] or None) != s["user_id"]:
            yield "subscription user", f"{key[2]}: oracle {s['user_id']}, payrecon {row['user_id'] or '-'}"
        if s["ends"] and instant(row["expires_at"]) not in s["ends"]:
            yield "subscription expires_at", f"{key[2]}: oracle {sorted(map(rfc, s['ends']))}, payrecon {row['expires_at']}"
        printed = {"true": 1, "1": 1, "false": 0, "0": 0, "on": 1, "off": 0}.get(row["auto_renew"].lower())
        if s["auto_renew"] is not None and printed != s["auto_renew"]:
            yield "subscription auto_renew", f"{key[2]}: oracle {s['auto_renew']}, payrecon {row['auto_renew'] or '-'}"


def verdict_differences(night, rows, rendered):
    """Verdicts on evidence of the oracle against the export."""
    verdicts = {row["sha256"]: row["verdict"] for row in rows}
    for item in night.items:
        if item["form"] == "garbage":
            continue
        raw, parts = rendered[item["id"]]
        want = night.verdicts[item["id"]]
        hashes = [worlds.sha256(p.encode()) for p in parts]
        if item["form"] in ("jws", "receipt", "verify", "answer"):
            hashes = [worlds.sha256(raw)]
        for sha in hashes:
            got = verdicts.get(sha)
            if got is None and item["form"] != "receipt":
                yield "evidence missing", f"{item['id']} {item['form']} {sha[:12]}"
            elif got is not None and got != want and not (night.wrong_app(item) and got in ("genuine", "foreign")):
                yield f"verdict {want} reported as {got}", f"{item['id']} {item['form']} {item['bundle_id']}"


def steady(k, before, now, touched=()):
    """A break keeps its id over nights; what was open is persisting, what was never there is new, what was decided or resolved and
    is not any more is reopened. `touched`: somebody decided them, perhaps since the night before."""
    found = []
    then = {r["break_id"]: r["status"] for r in before}
    rows = [r for r in before if r["status"] in STANDING and (r["order_id"] or r["charge_id"])]
    name = {(r["class"], r["order_id"], r["charge_id"], r["transaction_id"]): r["break_id"] for r in rows}
    # A class of the same family may count its grace otherwise, and another detail states other facts.
    opened = {(r["break_id"], r["class"], r["detail"]): r["opened_on"] for r in before}
    for r in now:
        day = opened.get((r["break_id"], r["class"], r["detail"]), r["opened_on"])
        if r["status"] == "persisting" and r["opened_on"] != day:
            found.append(Difference(k, "a persisting break opened on another day",
                                    f"{r['class']} {r['order_id']} {r['transaction_id']}: {day}, now {r['opened_on']}"))
        key = (r["class"], r["order_id"], r["charge_id"], r["transaction_id"])
        if r["status"] in STANDING and key in name and name[key] != r["break_id"]:
            found.append(Difference(k, "break id has changed", " ".join(key)))
        want = {"new": "persisting", "persisting": "persisting", "reopened": "persisting", "resolved": "reopened"}.get(
            then.get(r["break_id"]), "reopened" if r["break_id"] in then else "new")
        if r["status"] in OPEN and r["status"] != want and not (r["break_id"] in touched and r["status"] in ("persisting", "reopened")):
            found.append(Difference(k, f"break status {want} reported as {r['status']}", " ".join(key)))
    return found


def outcome(exports):
    """What must not depend on the nights in which inputs came."""
    label = {r["charge_id"]: r["transaction_ids"] for r in read(exports["charges"])}
    lines = {"charge " + " ".join(f"{n}={v}" for n, v in r.items()) for r in read(exports["charges"])}
    lines |= {f"match {r['order_id']} {label.get(r['charge_id'])} {r['rung']}" for r in read(exports["matches"])}
    lines |= {f"break {r['class']} {r['order_id']} {label.get(r['charge_id'], '-')} {r['break_id']} {r['amount_milliunits']}"
              for r in read(exports["breaks"]) if r["status"] in OPEN and r["class"] not in BY_NIGHT}
    return lines


def at_once(world):
    """The same inputs, all in the last night."""
    import copy
    whole = copy.deepcopy({k: v for k, v in world.items() if k != "catalogue"})
    whole["catalogue"] = world["catalogue"]
    whole["nights"], whole["settings"] = whole["nights"][-1:], whole["settings"][-1:]
    for name in ("users", "orders", "evidence"):
        for x in whole[name]:
            x["night"] = 0
        whole[name] = whole[name][::-1]
    return whole


def line_difference(one, two):
    a, b = set(one.splitlines()), set(two.splitlines())
    return f"then only: {sorted(a - b)[:3]}; now only: {sorted(b - a)[:3]}"
