"""An HTTP server that answers from scripts and logs the requests.

A PUT to /script/NAME is the list of answers of NAME, and GET /log/NAME its requests so far, both as JSON. A request to /NAME/… gets
the next answer of NAME.
"""

import collections
import json

import loopback

scripts, logs = {}, collections.defaultdict(list)


class Handler(loopback.Handler):
    # One packet per answer: two would wait for each other.
    wbufsize = 1 << 16

    def send(self, status, headers, body, cut=False):
        self.send_response_only(status)
        if "Date" not in headers and not cut:
            self.send_header("Server", "script")
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) + (50 if cut else 0)))
        self.end_headers()
        self.wfile.write(body)
        if cut:
            self.close_connection = True

    def handle_any(self):
        body = self.body()
        _, name, rest = self.path.split("/", 2)
        if name == "script":
            scripts[rest] = collections.deque(json.loads(body))
            return self.send(200, {}, b"")
        if name == "log":
            return self.send(200, {}, json.dumps(logs[rest]).encode())
        logs[name].append({"method": self.command, "target": "/" + rest,
                           "headers": {k.lower(): v for k, v in self.headers.items()},
                           "body": body.decode()})
        left = scripts.get(name)
        if not left:
            return self.send(418, {}, b"the script is over")
        answer = left.popleft()
        self.send(answer["status"], answer["headers"], answer["body"].encode(), answer["isCut"])

    do_GET = do_PUT = do_POST = do_DELETE = handle_any


loopback.serve(Handler)
