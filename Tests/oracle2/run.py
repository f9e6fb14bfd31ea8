"""Compares payrecon with the second oracle on random worlds.

    python3 run.py --seed 7                one world, its differences
    python3 run.py --seed 1 --worlds 60    sixty worlds, the number of differences by kind
    python3 run.py --seed 2000 --worlds 60 --decisions    people decide in every world (else in one of three)
    python3 run.py --seed 7 --shrink       reduces the world while a difference of the same kind remains
    python3 run.py --cases                 the table of cases (cases.py) in one world; --only W1: those whose name begins so
    python3 run.py --world w.json          a world that was kept or reduced
    python3 run.py --seed 7 --keep DIR     keeps the inputs of each night, so that they can be run by hand

Environment: PAYRECON_BINARY (default .build/debug/payrecon of the checkout), PAYRECON_SQL_DIR, PAYRECON_PG_BIN.
Exit status: 0 no difference, 1 differences, 2 error. Needs nothing but the `cryptography` package and PostgreSQL's programs.
"""

import argparse
import collections
import copy
import json
import os
import sys
import time

import decisions
import world as worlds
from compare import Cluster, Comparison, Program
from oracle import Night

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(HERE))


def describe(world):
    """A small world in words."""
    lines = [f"seed {world['seed']}, nights " + ", ".join(worlds.rfc(t) for t in world["nights"]) + "; scenes " + " ".join(world.get("story", []))]
    base = world["settings"][-1]
    for k, s in enumerate(world["settings"]):
        if s["roots"] != base["roots"] or s["apps"] != base["apps"]:
            lines.append(f"  night {k + 1}: roots {s['roots']}, apps {s['apps']}")
    if base["testers"] or base["windows"]:
        lines.append(f"  testers {base['testers']}, windows {[(worlds.rfc(w['from']), worlds.rfc(w['to']), w['users']) for w in base['windows']]}")
    for bundle, start in base.get("starts", {}).items():
        lines.append(f"  app {bundle} from {worlds.rfc(start)}")
    for u in world["users"]:
        lines.append(f"  night {u['night'] + 1}: user {u['row']['user_id']} token {u['row']['app_account_token'][:8] or '-'}"
                     + (" tester" if u["row"]["is_tester"] == "true" else ""))
    for o in world["orders"]:
        r = o["row"]
        more = " ".join(f"{n}={worlds.rfc(v) if n.endswith('_at') and v else v}" for n, v in r.items() if v is not None and n not in (
            "order_id", "bundle_id", "product_id", "user_id", "status", "created_at", "environment", "currency") and not (n == "quantity" and v == 1))
        lines.append(f"  night {o['night'] + 1}: order {r['order_id']} {r['user_id']} {r['product_id']} {r['status']} created {worlds.rfc(r['created_at'])} "
                     f"{r['bundle_id'] if r['bundle_id'] != worlds.READER else ''} {r['environment'] if r['environment'] != 'Production' else ''} {r['currency']} {more}")
    for e in world["evidence"]:
        head = f"  night {e['night'] + 1}: {e['id']} {e['form']} {e.get('type', '')} {e.get('subtype') or ''} signed {worlds.rfc(e['signed'])}"
        if e["signer"] != "apple":
            head += " BY A STRANGER"
        if e.get("status"):
            head += f" status {e['status']}"
        head += f" from {e['wrap']}" if e["wrap"] else " (bare)"
        lines.append(head)
        for tx in e["txs"]:
            lines.append("      " + " ".join(f"{n}={worlds.rfc(v) if n.endswith('Date') else v}" for n, v in tx.items() if n not in (
                "storefront", "storefrontId", "originalPurchaseDate", "type", "subscriptionGroupIdentifier", "bundleId") or
                n == "bundleId" and v != worlds.READER))
        for info in e["renewals"]:
            lines.append("      renewal " + " ".join(f"{n}={worlds.rfc(v) if n.endswith('Date') else v}" for n, v in info.items()))
    for a in world.get("decisions", ()):
        more = " ".join(f"{n}={worlds.rfc(v) if n == 'until' else v}" for n, v in a.items()
                        if n not in ("id", "night", "act") and v is not None)
        lines.append(f"  after night {a['night'] + 1}: {a['id']} {a['act']} {more}")
    return "\n".join(lines)


def shrink(world, comparison, kind, limit=400):
    """A smaller world with a difference of the same kind: drops nights, evidence, orders and users, one lot after another."""
    tried = 0

    def still(candidate):
        nonlocal tried
        tried += 1
        if tried > limit:
            return False
        try:
            return any(d.kind == kind for d in comparison.run(candidate, batching=kind.startswith("depends"), replay="past night" in kind))
        except Exception:
            return False

    def without(w, name, drop):
        smaller = copy.deepcopy({k: v for k, v in w.items() if k != "catalogue"})
        smaller["catalogue"] = w["catalogue"]
        smaller[name] = [x for i, x in enumerate(smaller[name]) if i not in drop]
        left = {x["id"] for x in smaller.get("decisions", ())}
        smaller["decisions"] = [x for x in smaller.get("decisions", ()) if x.get("of") is None or x["of"] in left]
        return smaller

    nights = len(world["nights"])
    for n in range(1, nights):                       # the first nights alone
        smaller = copy.deepcopy(world)
        smaller["nights"], smaller["settings"] = smaller["nights"][:n], smaller["settings"][:n]
        for name in ("users", "orders", "evidence", "decisions"):
            smaller[name] = [x for x in smaller.get(name, ()) if x["night"] < n]
        if still(smaller):
            world = smaller
            break
    for name in ("decisions", "evidence", "orders", "users"):
        world.setdefault(name, [])
        size = max(1, len(world[name]) // 2)
        while True:
            i = 0
            while i < len(world[name]):
                smaller = without(world, name, set(range(i, i + size)))
                if still(smaller):
                    world = smaller
                else:
                    i += size
            if size == 1:
                break
            size = max(1, size // 2)
    return world


def run_cases(comparison, only):
    """The table of cases: each difference under the name of its case, and the sentence that decides it."""
    import re
    import cases
    made, expectations, owner = cases.build(only)
    wrong = cases.check(made, expectations)
    for line in wrong:
        print("the oracle against its own table: " + line)
    says = {name: sentence for name, sentence, _ in cases.CASES}
    of_sub = {e["id"]: owner[e["id"]] for e in made["evidence"]}
    found = collections.defaultdict(list)
    for d in comparison.run(made):
        words = re.findall(r"PO-\d+|E\d+|\bX\d+|\b2?4700\d+", d.text)
        name = next((owner.get(w) or of_sub.get(w) for w in words if w in owner or w in of_sub), "(no case)")
        found[name].append(d)
    for name, _, _ in cases.CASES + [("(no case)", "", None)]:
        if name in found:
            print(f"{name}: \"{says.get(name, '')}\"")
            last = max(d.night for d in found[name])
            for d in found[name]:
                if d.night == last:
                    print("   ", str(d)[:300])
    print(f"{len(cases.CASES)} cases, {len(found)} differ: {', '.join(found)}")
    return 1 if found or wrong else 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--worlds", type=int, default=1)
    options.add_argument("--shrink", action="store_true")
    options.add_argument("--cases", action="store_true")
    options.add_argument("--only", default="", help="with --cases: those whose name begins so")
    options.add_argument("--world", help="a world in JSON")
    options.add_argument("--keep")
    options.add_argument("--describe", action="store_true", help="print the world in words")
    options.add_argument("--replay", action="store_true", help="also read past nights again at the end")
    options.add_argument("--batching", action="store_true", help="also give all inputs in one night: the end must be the same")
    options.add_argument("--plain", action="store_true", help="no world changes its roots or apps between nights")
    options.add_argument("--decisions", action="store_true", help="people decide in every world")
    options.add_argument("--size", type=int, default=1, help="so many times the scenes and decisions of a world (1 to 6)")
    chosen = options.parse_args()
    binary = os.environ.get("PAYRECON_BINARY", os.path.join(CHECKOUT, ".build/debug/payrecon"))
    sql = os.environ.get("PAYRECON_SQL_DIR", os.path.join(CHECKOUT, "sql"))
    program = Program(binary, sql)
    cluster = Cluster()
    kinds, seeds, done, started = collections.Counter(), collections.defaultdict(list), 0, time.time()
    try:
        template = cluster.database()
        status, out, err = program.call({"PAYRECON_DATABASE_URL": cluster.url(template)}, "init")
        if status:
            print(err, file=sys.stderr)
            return 2
        comparison = Comparison(program, cluster, template, chosen.keep)
        if chosen.keep:
            os.makedirs(chosen.keep, exist_ok=True)
        if chosen.cases:
            return run_cases(comparison, chosen.only)
        for seed in range(chosen.seed, chosen.seed + chosen.worlds):
            if chosen.world:
                with open(chosen.world) as f:
                    world = json.load(f)
            else:
                world = worlds.generate(seed, not chosen.plain, chosen.size)
                if chosen.decisions or decisions.deciding(seed):
                    decisions.decide(world, Night, chosen.size)
            if chosen.describe:
                print(describe(world))
            differences = comparison.run(world, replay=chosen.replay, batching=chosen.batching)
            done += 1
            for kind in {d.kind for d in differences}:
                kinds[kind] += 1
                seeds[kind].append(world["seed"])
            for d in differences:
                print(f"seed {world['seed']} {d}")
            if chosen.shrink and differences:
                kind = differences[0].kind
                small = shrink(world, comparison, kind)
                print(f"\nseed {world['seed']} reduced for \"{kind}\":\n{describe(small)}")
                for d in comparison.run(small):
                    print("  ", d)
                with open(f"/tmp/oracle2-{world['seed']}.json", "w") as f:
                    json.dump(small, f)
        print(f"{done} worlds in {time.time() - started:.0f} s, {sum(1 for k in kinds)} kinds of difference, "
              f"worlds with a difference: {len({s for v in seeds.values() for s in v})}")
        if comparison.acts:
            print("  people: " + ", ".join(f"{act} {n}" for act, n in sorted(comparison.acts.items()))
                  + f"; left out, as the case was not open or went on: {sum(comparison.left_out.values())}")
            print("  decisions on breaks, looked at: " + ", ".join(f"{state} {n}" for state, n in sorted(comparison.states.items())))
        for kind, n in kinds.most_common():
            print(f"  {n:4} worlds  {kind}  (seeds {' '.join(map(str, seeds[kind][:8]))})")
    finally:
        cluster.stop()
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
