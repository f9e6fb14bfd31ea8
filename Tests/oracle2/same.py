"""Compares two builds of payrecon byte for byte: a change of structure changes no output.

    python3 same.py --seed 1 --worlds 200 --before PROGRAM SQL --after PROGRAM SQL

Both play the random worlds of world.py night by night. Every export, every file of the reports and every explanation of an order,
a charge and a break is compared as it is written; a run's id, which differs between runs, is left out.
Exit status: 0 all the same, 1 differences, 2 error.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
import time

import world as worlds
from compare import Cluster, Program, read, rendered_items, write_night, write_settings
from world import rfc

LISTS = ("orders", "evidence", "parked", "transactions", "charges", "matches", "breaks", "signals", "cases", "subscriptions",
         "finance-lines", "payments", "cells")
EXPLAINED_MAX = 4          # of each kind, a night
RUN = re.compile(rb"\b(nightly|match|detect|rules|settle|report)-(\d{8}T\d{6}Z)-[0-9a-f]{8}\b")


def plain(content):
    return RUN.sub(rb"\1-\2", content)


def files_of(folder):
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as f:
                yield RUN.sub(rb"\1-\2", os.path.relpath(path, folder).encode()).decode(), f.read()


def play(program, cluster, template, world):
    """What one build says of a world: name -> bytes."""
    outputs, folder, database = {}, tempfile.mkdtemp(prefix="payrecon-same-"), cluster.database(template)
    try:
        rendered = rendered_items(world)
        for k, now in enumerate(world["nights"]):
            inbox, report = (os.path.join(folder, f"{name}{k}") for name in ("in", "report"))
            write_night(world, k, inbox, rendered)
            environment = {**write_settings(world["settings"][k], k, folder, has_secret=False),
                           "PAYRECON_DATABASE_URL": cluster.url(database), "PAYRECON_STATE_DIR": os.path.join(folder, "state")}
            more = ["--accept-settings"] if k and world["settings"][k] != world["settings"][k - 1] else []
            status, _, err = program.call(environment, "nightly", "--inbox", inbox, "--as-of", rfc(now), "--out", report, *more)
            outputs[f"night {k + 1} exit"] = str(status).encode()
            if status not in (0, 1, 3):
                outputs[f"night {k + 1} error"] = err.encode()
                break
            outputs.update({f"night {k + 1} report {name}": content for name, content in files_of(report)})
            exports = {name: program.call(environment, "export", name, "--as-of", rfc(now))[1] for name in LISTS}
            outputs.update({f"night {k + 1} export {name}": text.encode() for name, text in exports.items()})
            for name, column in (("orders", "order_id"), ("charges", "charge_id"), ("breaks", "break_id")):
                for row in read(exports[name])[:EXPLAINED_MAX]:
                    answer = program.call(environment, "match", "--explain", row[column], "--as-of", rfc(now))[1]
                    outputs[f"night {k + 1} explanation {row[column]}"] = answer.encode()
    finally:
        cluster.drop(database)
        shutil.rmtree(folder, ignore_errors=True)
    return {name: plain(content) for name, content in outputs.items()}


def first_difference(one, two):
    a, b = one.splitlines(), two.splitlines()
    for x, y in zip(a + [b""] * len(b), b + [b""] * len(a)):
        if x != y:
            return f"before {x[:300]!r}, after {y[:300]!r}"
    return "only in its line ends"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--worlds", type=int, default=1)
    options.add_argument("--before", nargs=2, metavar=("PROGRAM", "SQL"), required=True)
    options.add_argument("--after", nargs=2, metavar=("PROGRAM", "SQL"), required=True)
    chosen = options.parse_args()
    cluster, differing, compared, started = Cluster(), 0, 0, time.time()
    try:
        builds = []
        for side in (chosen.before, chosen.after):
            program, template = Program(*side), cluster.database()
            status, _, err = program.call({"PAYRECON_DATABASE_URL": cluster.url(template)}, "init")
            if status:
                print(err, file=sys.stderr)
                return 2
            builds.append((program, template))
        for seed in range(chosen.seed, chosen.seed + chosen.worlds):
            world = worlds.generate(seed)
            before, after = (play(program, cluster, template, world) for program, template in builds)
            compared += len(before)
            names = [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]
            differing += bool(names)
            for name in names:
                print(f"seed {seed} {name}: {first_difference(before.get(name, b''), after.get(name, b''))}")
        print(f"{chosen.worlds} worlds, {compared} files and answers in {time.time() - started:.0f} s, worlds with a difference: {differing}")
    finally:
        cluster.stop()
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
