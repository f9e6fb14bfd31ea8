"""A receiver of webhook events: takes posts, verifies their signatures with the key, and logs them.

usage: webhook_sink.py KEY_FILE LOG
Prints its port. A post to /take is taken, to /fail answered with 500, to /hang never, to /gone with 410, to /busy/SECONDS with
429 and that Retry-After; LOG has one JSON line for each.
The check of a signature is written from the text of Standard Webhooks alone.
"""

import base64
import hashlib
import hmac
import http.server
import json
import sys
import threading
import time

with open(sys.argv[1]) as file:
    key = base64.b64decode(file.read().strip().removeprefix("whsec_"))
lock = threading.Lock()


class Sink(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        number, stamp = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = f"{number}.{stamp}.".encode() + body
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        is_fresh = abs(time.time() - int(stamp)) < 300
        post = {
            "path": self.path, "id": number, "is_valid": is_fresh and self.headers["webhook-signature"] == expected,
            "type": self.headers["Content-Type"], "text": body.decode(), "body": json.loads(body),
        }
        with lock, open(sys.argv[2], "a") as log:
            log.write(json.dumps(post) + "\n")
        if self.path == "/hang":
            time.sleep(60)
        kind, _, seconds = self.path[1:].partition("/")
        self.send_response({"fail": 500, "gone": 410, "busy": 429}.get(kind, 204))
        if seconds:
            self.send_header("Retry-After", seconds)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
