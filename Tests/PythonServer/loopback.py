"""Serves HTTP requests on a free port of 127.0.0.1, which it prints. Ends when the standard input closes."""

import http.server
import os
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, address):
        pass


def serve(handler, tls=None, at_end=lambda: None):
    server = Server(("127.0.0.1", 0), handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)

    def live():
        sys.stdin.buffer.read()
        at_end()
        os._exit(0)

    threading.Thread(target=live, daemon=True).start()
    print(server.server_port)
    server.serve_forever()
