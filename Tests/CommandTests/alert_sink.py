"""Runs a command beside a mail server and a webhook of its own; prints what both took, as JSON.

usage: alert_sink.py STATUS MAIL SETTINGS COMMAND…
STATUS is what the webhook answers. MAIL is what the mail server does: take, refuse, or kill the command after it took a
mail. {smtp} and {http} in the file SETTINGS become the ports before the command starts.
"""

import http.server
import json
import socket
import subprocess
import sys
import threading

from aiosmtpd.controller import Controller

mails, posts = [], []


class Mail:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if sys.argv[2] == "refuse":
            return f"550 {address} is unknown"
        envelope.rcpt_tos.append(address)
        return "250 taken"

    async def handle_DATA(self, server, session, envelope):
        text = envelope.content.decode()
        mails.append({"from": envelope.mail_from, "to": envelope.rcpt_tos, "text": text})
        if sys.argv[2] == "kill":
            done.kill()
        return "250 taken"


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        posts.append({"type": self.headers["Content-Type"], "body": json.loads(body)})
        self.send_response(int(sys.argv[1]))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
mail = Controller(Mail(), hostname="127.0.0.1", port=port)
mail.start()
hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
threading.Thread(target=hook.serve_forever, daemon=True).start()
with open(sys.argv[3]) as file:
    text = file.read()
text = text.replace("{smtp}", str(port)).replace("{http}", str(hook.server_address[1]))
with open(sys.argv[3], "w") as file:
    file.write(text)
done = subprocess.Popen(sys.argv[4:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
output, complaint = done.communicate()
mail.stop()
hook.shutdown()
print(json.dumps({"status": done.returncode, "text": output, "complaint": complaint, "mails": mails, "posts": posts}))
