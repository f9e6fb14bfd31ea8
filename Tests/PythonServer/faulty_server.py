"""An HTTP server that answers each path in another way, several of them faulty.

usage: faulty_server.py [FOLDER]
With a FOLDER it encrypts, with a self-signed certificate for `localhost` that it writes to FOLDER/server.pem. It removes the folder
at its end.
"""

import gzip
import shutil
import socket
import ssl
import subprocess
import sys
import threading

import loopback

arrived = threading.Event()


class Handler(loopback.Handler):
    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_any(self):
        body = self.body()
        path = self.path.split("?")[0]
        if path == "/echo":
            self.answer(200, body, [
                ("X-Method", self.command), ("X-Path", self.path), ("X-Many", "one"), ("x-many", "two"),
                ("X-Sent", self.headers.get("X-Sent", "none")), ("X-Empty", repr(self.headers.get("X-Empty"))),
                ("X-Type", self.headers.get("Content-Type", "none")), ("X-Length", str(len(body)))])
        elif path.startswith("/status/"):
            self.answer(int(path[8:]), b"words", [("Retry-After", "7")])
        elif path == "/redirect":
            self.answer(302, b"", [("Location", "/echo")])
        elif path == "/large":
            self.answer(200, b"x" * 1000000)
        elif path == "/gzip":
            self.answer(200, gzip.compress(b"0" * 1000000), [("Content-Encoding", "gzip")])
        elif path == "/headers":
            self.answer(200, b"", [("X-%d" % n, "y" * 8000) for n in range(40)])
        elif path == "/peer":
            self.answer(200, b"", [("X-Peer", str(self.client_address[1]))])
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"only this")
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        elif path == "/arrived":
            arrived.wait(20)
            self.answer(200)
        elif path == "/hang":
            arrived.set()
            self.connection.recv(1)
            self.close_connection = True
        elif path == "/silent":
            self.connection.recv(1)
            self.close_connection = True
        elif path == "/slow":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"s")
            self.wfile.flush()
            self.connection.recv(1)
            self.close_connection = True
        else:
            self.answer(404)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any


def context(folder):
    key, certificate = folder + "/key.pem", folder + "/server.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


if len(sys.argv) == 1:
    loopback.serve(Handler)
else:
    loopback.serve(Handler, context(sys.argv[1]), lambda: shutil.rmtree(sys.argv[1], ignore_errors=True))
