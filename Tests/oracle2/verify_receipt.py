"""verifyReceipt as Apple answers it: over a connection of payrecon's own, so that what it says counts without a signature.

A world may state what Apple knows about the purchases in a receipt (`answers`: receipt -> night -> transactions and renewals). Before
each night payrecon collects receipts; it alone chooses which to ask about. What was answered becomes evidence of the world's, in
that night, and the oracle reasons from it."""

import base64
import http.server
import json
import threading

import world as worlds

BEFORE = 2 * worlds.HOUR        # so long before a night receipts are collected


def item_of(world, receipt, k):
    """The answer about a receipt before night k, as evidence; None when the world knows none."""
    answer = world.get("answers", {}).get(receipt["id"], {}).get(str(k))
    if answer is None:
        return None
    return {"id": f"A{k}-{receipt['id']}", "night": k, "form": "answer", "signer": "apple", "signed": world["nights"][k] - BEFORE,
            "environment": receipt["environment"], "bundle_id": receipt["bundle_id"], "apple_id": receipt["apple_id"],
            "txs": answer["txs"], "renewals": answer["renewals"], "wrap": {"source": "api"}}


def answered(world):
    """The world as if every receipt were asked about before every night."""
    given = [item_of(world, e, k) for e in world["evidence"] if e["form"] == "receipt" for k in range(e["night"] + 1, len(world["nights"]))]
    return dict(world, evidence=world["evidence"] + [item for item in given if item])


class Store:
    """Both of Apple's stores on one port; `given` are the answers of one night."""

    def __init__(self):
        store = self
        self.answers, self.given, self.wrong = {}, [], []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = store.reply(self.path, body)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.environment = {"PAYRECON_APPSTORE_URL": url + "/production", "PAYRECON_APPSTORE_SANDBOX_URL": url + "/sandbox",
                            "PAYRECON_APPSTORE_PAUSE_MS": "1"}

    def reply(self, path, body):
        item = self.answers.get(body["receipt-data"])
        if body["password"] != "s3cret" or item is None:
            self.wrong.append(f"{path}: {'a receipt that nobody uploaded' if item is None else 'the password'}")
            return b'{"status":21004}'
        if item["environment"] == "Sandbox" and path.startswith("/production"):
            return b'{"status":21007}'
        raw, _ = worlds.render(item)
        if item not in self.given:
            self.given.append(item)
        return raw

    def collect(self, world, k, rendered, call):
        """Lets payrecon ask before night k. What it was answered joins the world's evidence; gives what went wrong."""
        known = [e for e in world["evidence"] if e["form"] == "receipt" and e["night"] < k]
        self.answers = {base64.b64encode(raw if e.get("der") and not e["wrap"] else base64.b64decode(raw)).decode(): item_of(world, e, k)
                        for e in known for raw, _ in [rendered[e["id"]]]}
        self.given, self.wrong = [], []
        status, out, err = call("collect", "receipts", "--as-of", worlds.rfc(world["nights"][k] - BEFORE))
        for item in self.given:
            world["evidence"].append(item)
            rendered[item["id"]] = worlds.render(item)
        if status or self.wrong:
            yield f"exit {status}, {self.wrong}: {(out + err)[-400:]}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
