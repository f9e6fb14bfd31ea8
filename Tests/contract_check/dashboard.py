"""Reads the Grafana dashboard with Grafana's own model and Prometheus' grammar.

usage: dashboard.py DASHBOARD METRICS    every expression asks for metrics and labels that the file of metrics has
"""
import json
import re
import sys

import promql_parser
from grafana_foundation_sdk.models import dashboard


def selectors(node):
    """Metric and labels of every selector in an expression."""
    if isinstance(node, promql_parser.VectorSelector):
        yield node.name, {matcher.name for matcher in node.matchers.matchers}
    for name in ("expr", "lhs", "rhs"):
        child = getattr(node, name, None)
        if child is not None and not isinstance(child, str):
            yield from selectors(child)
    for child in getattr(node, "args", None) or []:
        yield from selectors(child)


def metrics(path):
    """Labels of each metric in a file in Prometheus' text format."""
    known = {}
    for line in open(path, encoding="utf-8"):
        described = re.match(r"# HELP (\S+)", line)
        sample = re.match(r"([a-z_]+)(?:\{(.*)\})? ", line)
        if described:
            known.setdefault(described.group(1), set())
        elif sample:
            known.setdefault(sample.group(1), set()).update(re.findall(r"(\w+)=\"", sample.group(2) or ""))
    return known


def main(path, metrics_path):
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    read = dashboard.Dashboard.from_json(content)
    assert read.title == "payrecon" and len(read.panels) == len(content["panels"]) > 5
    known = metrics(metrics_path)
    assert len({panel["id"] for panel in content["panels"]}) == len(content["panels"])
    used = set()
    for panel in content["panels"]:
        assert panel["title"] and panel["description"], panel["id"]
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24, panel["title"]
        for target in panel["targets"]:
            found = list(selectors(promql_parser.parse(target["expr"])))
            assert found, target["expr"]
            for name, labels in found:
                assert name in known, f"{panel['title']}: there is no metric {name}"
                used.add(name)
                # A metric without a sample tells no labels.
                assert not known[name] or labels <= known[name], f"{panel['title']}: {name} has no labels {labels - known[name]}"
            asked = set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
            for name, _ in found:
                assert not known[name] or asked <= known[name], f"{panel['title']}: {name} has no labels {asked - known[name]}"
    print(f"{len(content['panels'])} panels, {len(used)} metrics")


if __name__ == "__main__":
    main(*sys.argv[1:])
