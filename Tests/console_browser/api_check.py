"""Plays every route and status of the console's OpenAPI file and holds every answer against its schema.

usage: api_check.py   (environment: CONSOLE_URL; TOKEN_ANALYST, TOKEN_APPROVER, TOKEN_APPROVER_AGAIN: another one of the same
account, TOKEN_READER, TOKEN_INBOX; CASES: ids of cases that wait, FOREIGN: one in no inbox of TOKEN_INBOX; ORDER: an order of
it; BULK: other cases that wait)
"""
import hashlib
import json
import os
import re
import sys
import urllib.error
import urllib.request

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

URL = os.environ["CONSOLE_URL"].rstrip("/")
TOKENS = {name: os.environ[f"TOKEN_{name}"] for name in ("ANALYST", "APPROVER", "APPROVER_AGAIN", "READER", "INBOX")}
# What nothing that is sent brings about: the host fails, or too much comes at once.
UNPLAYED = {"500", "503"}


def ask(method, path, token=None, body=None):
    """Status, media type and text of an answer."""
    status, media, text, _ = whole(method, path, token, body)
    return status, media, text


def whole(method, path, token=None, body=None):
    """Status, media type, text and header fields of an answer."""
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data=b"" if method == "POST" and data is None else data, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {TOKENS.get(token, token)}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return str(answer.status), answer.headers.get_content_type(), answer.read().decode(), answer.headers
    except urllib.error.HTTPError as error:
        return str(error.code), error.headers.get_content_type(), error.read().decode(), error.headers


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
        value = json.loads(text) if media == "application/json" else text
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


def evidence(check, order, case):
    """From an order to the signed bytes, and back by their hash."""
    known = check.play("GET", "/api/v1/search", "200", query=f"?q={order}")
    assert order in known["known"] and known["timeline"] and known["identities"], f"nothing is known of {order}"
    sha256 = known["evidence"][0]["sha256"]
    for route, names in (("/api/v1/evidence/{sha256}", {}), ("/api/v1/cases/{case_id}/evidence/{sha256}", {"case_id": case})):
        reply = check.play("GET", route, "200", sha256=sha256, **names)
        assert any(claim["name"] == "transactionId" for claim in reply["claims"]), reply
        raw = check.play("GET", route + "/raw", "200", sha256=sha256, **names)
        assert hashlib.sha256(raw.encode()).hexdigest() == sha256, "these are not the bytes of the hash"
        check.play("GET", route, "200", token="READER", sha256=sha256, **names)
        check.play("GET", route + "/raw", "403", token="READER", sha256=sha256, **names)
        for end in ("", "/raw"):
            check.play("GET", route + end, "401", token=None, sha256=sha256, **names)
            check.play("GET", route + end, "404", sha256="0" * 64, **names)
            # Without a case only whoever sees all; with one nobody who does not see it.
            check.play("GET", route + end, "404" if names else "403", token="INBOX", sha256=sha256, **names)
    for status, token, query in (
            ("400", "ANALYST", "?q="), ("400", "ANALYST", "?q=%00"), ("401", None, "?q=x"), ("403", "INBOX", f"?q={order}"),
            ("404", "ANALYST", "?q=no-such-id")):
        check.play("GET", "/api/v1/search", status, token=token, query=query)


def bulk(check, cases, foreign):
    """Many cases: looked at, decided, looked at again, taken back."""
    preview, many, batch, undo = "/api/v1/bulk/preview", "/api/v1/bulk", "/api/v1/batches/{batch_id}", "/api/v1/batches/{batch_id}/undo"
    body = {"cases": cases, "action": "accept", "outcome": "confirmed", "reason": "one cause"}
    would = check.play("POST", preview, "200", body=body)
    shown = would.pop("preview")
    assert shown and would == {"batch_id": None, "decided_count": len(cases), "left": []}, would
    check.play("POST", many, "409", body={**body, "preview": shown.replace(":", ":0")})
    done = check.play("POST", many, "200", body={**body, "preview": shown})
    assert done["decided_count"] == len(cases) and done["batch_id"], done
    for route in (preview, many):
        check.play("POST", route, "400", body={**body, "cases": []})
        check.play("POST", route, "400", body={**body, "cases": "x"})
        check.play("POST", route, "400", body={**body, "action": "forced_match"})
        check.play("POST", route, "401", token=None, body=body)
        check.play("POST", route, "403", token="READER", body=body)
        check.play("POST", route, "404", token="INBOX", body={**body, "cases": [foreign]})
        check.play("POST", route, "413", body=b" " * 70000)
    check.play("POST", many, "409", body=body)
    made = {"batch_id": done["batch_id"]}
    reply = check.play("GET", batch, "200", **made)
    assert sorted(row["case_id"] for row in reply["decisions"]) == sorted(cases), reply
    check.play("GET", batch, "401", token=None, **made)
    check.play("GET", batch, "404", batch_id="0" * 32)
    why = {"reason": "by a program, too"}
    check.play("POST", undo, "400", body={"why": "x"}, **made)
    check.play("POST", undo, "401", token=None, body=why, **made)
    check.play("POST", undo, "403", token="READER", body=why, **made)
    check.play("POST", undo, "404", body=why, batch_id="0" * 32)
    check.play("POST", undo, "409", token="APPROVER", body=why, **made)
    check.play("POST", undo, "413", body=b" " * 70000, **made)
    assert check.play("POST", undo, "200", body=why, **made) == {"done": "undone"}


def methods(check):
    """Every address says which methods it takes, to whoever comes with another one."""
    for route, operations in check.spec["paths"].items():
        path = re.sub(r"{\w+}", "0" * 32, route)
        allowed = ", ".join(sorted(method.upper() for method in operations))
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - set(allowed.split(", ")):
            status, _, text, headers = whole(method, path)
            if (status, headers.get("Allow")) != ("405", allowed) or "error" not in json.loads(text):
                check.faults.append(f"{method} {path}: {status} {headers.get('Allow')}, not 405 {allowed}")


def own_proposal(check, case, proposal):
    """Who proposed does not approve, whichever token of the account asks; what was proposed goes on waiting."""
    one, act = "/api/v1/cases/{case_id}", "/api/v1/cases/{case_id}/{act}"
    check.play("POST", act, "200", token="APPROVER", case_id=case, act="take")
    check.play("POST", act, "200", token="APPROVER", body=proposal, case_id=case, act="decide")
    for token in ("APPROVER", "APPROVER_AGAIN"):
        check.play("POST", act, "409", token=token, body={"reason": "mine"}, case_id=case, act="approve")
        reply = check.play("GET", one, "200", case_id=case)
        assert reply["status"] == "waiting_approval", f"one account proposed and approved: {reply}"
    check.play("POST", act, "200", token="APPROVER", body={"reason": "not so"}, case_id=case, act="withdraw")


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
    own_proposal(check, cases[1], write_off)
    for name in ("reject", "withdraw", "approve"):
        check.play("POST", act, "200", case_id=cases[1], act="take")
        check.play("POST", act, "200", body=write_off, case_id=cases[1], act="decide")
        check.play("POST", act, "409", token="APPROVER", body={"reason": "x"}, case_id=cases[0], act=name)
        who = "ANALYST" if name == "withdraw" else "APPROVER"
        check.play("POST", act, "409", token=who, body={"reason": "seen", "proposal": "0" * 32}, case_id=cases[1], act=name)
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
    cases, foreign = os.environ["CASES"].split(), os.environ["FOREIGN"]
    acts(check, cases, foreign)
    evidence(check, os.environ["ORDER"], foreign)
    bulk(check, os.environ["BULK"].split(), foreign)
    methods(check)
    faults = check.faults + [f"never played: {' '.join(place)}" for place in check.unplayed()]
    print("\n".join(faults) or f"api: {len(check.played)} answers as the file says")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
