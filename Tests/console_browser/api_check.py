"""Plays every route and status of the console's OpenAPI file and holds every answer against its schema.

usage: api_check.py   (environment: CONSOLE_URL; TOKEN_ANALYST, TOKEN_APPROVER, TOKEN_READER, TOKEN_INBOX; CASES: ids of
cases that wait, FOREIGN: one in no inbox of TOKEN_INBOX)
"""
import json
import os
import sys
import urllib.error
import urllib.request

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

URL = os.environ["CONSOLE_URL"].rstrip("/")
TOKENS = {name: os.environ[f"TOKEN_{name}"] for name in ("ANALYST", "APPROVER", "READER", "INBOX")}
# What nothing that is sent brings about: the host fails, or too much comes at once.
UNPLAYED = {"500", "503"}


def ask(method, path, token=None, body=None):
    """Status, media type and text of an answer."""
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data=b"" if method == "POST" and data is None else data, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {TOKENS.get(token, token)}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return str(answer.status), answer.headers.get_content_type(), answer.read().decode()
    except urllib.error.HTTPError as error:
        return str(error.code), error.headers.get_content_type(), error.read().decode()


class Checker:
    def __init__(self, spec):
        self.spec, self.played, self.faults = spec, set(), []

    def play(self, method, route, expected, token="ANALYST", query="", body=None, **names):
        """Asks a route of the file, and says what differs from it."""
        operation = self.spec["paths"][route][method.lower()]
        path = route
        for name, value in names.items():
            path = path.replace("{" + name + "}", value)
        status, media, text = ask(method, path + query, token, body)
        said = f"{method} {path}{query} as {token}: {status} {text[:200]}"
        self.played.add((method, route, status))
        if status != expected:
            self.faults.append(f"{said}, not {expected}")
        answer = operation["responses"].get(status)
        if answer is None or media not in answer["content"]:
            self.faults.append(f"{said}: not in the file")
            return None
        value = json.loads(text)
        schema = {**answer["content"][media]["schema"], "components": self.spec["components"]}
        for error in Draft202012Validator(schema).iter_errors(value):
            self.faults.append(f"{said}: {error.json_path}: {error.message[:200]}")
        return value

    def unplayed(self):
        every = {(method.upper(), route, status) for route, methods in self.spec["paths"].items()
                 for method, operation in methods.items() for status in operation["responses"]}
        return sorted(place for place in every - self.played if place[2] not in UNPLAYED)


def lists(check):
    check.play("GET", "/api/v1/me", "200")
    first = check.play("GET", "/api/v1/cases", "200")
    assert len(first["cases"]) == 50 and first["after"], "no page of cases"
    from urllib.parse import quote
    second = check.play("GET", "/api/v1/cases", "200", query=f"?after={quote(first['after'])}")
    assert not {row["case_id"] for row in first["cases"]} & {row["case_id"] for row in second["cases"]}, "a case on two pages"
    for query in ("?days=x", "?severity=AAA", "?after=" + "x" * 201, "?name=%00"):
        check.play("GET", "/api/v1/cases", "400", query=query)
    for name in ("breaks", "runs"):
        check.play("GET", f"/api/v1/{name}", "200")
        check.play("GET", f"/api/v1/{name}", "403", token="INBOX")
        check.play("GET", f"/api/v1/{name}", "400", query="?after=%00")
    over = "payrecon_" + "0" * 64
    for route in ("/api/v1/me", "/api/v1/cases", "/api/v1/breaks", "/api/v1/runs"):
        for token in (None, over, "payrecon_x"):
            check.play("GET", route, "401", token=token)


def acts(check, cases, foreign):
    one, act = "/api/v1/cases/{case_id}", "/api/v1/cases/{case_id}/{act}"
    check.play("GET", one, "200", case_id=cases[0])
    check.play("GET", one, "401", token=None, case_id=cases[0])
    check.play("GET", one, "404", token="INBOX", case_id=foreign)
    check.play("GET", one, "404", case_id="0" * 32)
    taken = check.play("POST", "/api/v1/cases/next", "200")
    assert taken["case_id"], "nothing was taken"
    check.play("POST", act, "200", case_id=taken["case_id"], act="release")
    check.play("POST", "/api/v1/cases/next", "400", body={"x": "y"})
    check.play("POST", "/api/v1/cases/next", "401", token=None)
    check.play("POST", "/api/v1/cases/next", "403", token="READER")
    check.play("POST", "/api/v1/cases/next", "413", body=b" " * 70000)
    steps = [
        ("take", {}), ("snooze", {"until": "2026-06-01", "reason": "asked"}), ("wake", {}), ("assign", {"assignee": "ann"}),
        ("assign", {}), ("follow", {}), ("unfollow", {}), ("note", {"note": "by a program"}), ("take", {}),
        ("decide", {"action": "accept", "outcome": "confirmed", "reason": "known"}), ("undo", {"reason": "not so"}),
    ]
    for name, body in steps:
        check.play("POST", act, "200", body=body, case_id=cases[0], act=name)
    write_off = {"action": "write_off", "outcome": "confirmed", "reason": "small"}
    for name in ("reject", "withdraw", "approve"):
        check.play("POST", act, "200", case_id=cases[1], act="take")
        check.play("POST", act, "200", body=write_off, case_id=cases[1], act="decide")
        check.play("POST", act, "409", token="APPROVER", body={"reason": "x"}, case_id=cases[0], act=name)
        who = "ANALYST" if name == "withdraw" else "APPROVER"
        check.play("POST", act, "200", token=who, body={"reason": "seen"}, case_id=cases[1], act=name)
    check.play("POST", act, "409", body={"action": "accept", "outcome": "confirmed", "reason": "x"}, case_id=cases[0], act="decide")
    check.play("POST", act, "400", body={"note": 7}, case_id=cases[0], act="note")
    check.play("POST", act, "400", body=b"[", case_id=cases[0], act="note")
    check.play("POST", act, "400", body=b'{"note":"a","note":"b"}', case_id=cases[0], act="note")
    check.play("POST", act, "401", token=None, case_id=cases[0], act="take")
    check.play("POST", act, "403", token="READER", case_id=cases[0], act="take")
    check.play("POST", act, "403", body={"reason": "x"}, case_id=cases[0], act="approve")
    check.play("POST", act, "404", token="INBOX", case_id=foreign, act="take")
    check.play("POST", act, "413", body={"note": "x" * 70000}, case_id=cases[0], act="note")


def main():
    status, _, text = ask("GET", "/api/v1/openapi.json")
    assert status == "200", status
    spec = json.loads(text)
    validate(spec)
    check = Checker(spec)
    lists(check)
    acts(check, os.environ["CASES"].split(), os.environ["FOREIGN"])
    faults = check.faults + [f"never played: {' '.join(place)}" for place in check.unplayed()]
    print("\n".join(faults) or f"api: {len(check.played)} answers as the file says")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
