import Foundation

/// A small HTTP/1.1 server in Python on a free port of 127.0.0.1. It ends with the test process.
final class LoopbackServer: Sendable {
  static let plain = Result { try LoopbackServer(isEncrypted: false) }
  static let encrypted = Result { try LoopbackServer(isEncrypted: true) }

  let port: Int
  /// PEM file of the server's self-signed certificate for `localhost`.
  let certificateFile: String
  /// The server ends when the other end of this pipe closes, even if the tests crash.
  private let life: Pipe

  var url: String { "http://127.0.0.1:\(port)" }

  struct Failure: Error {}

  private init(isEncrypted: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("payrecon-http-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificateFile = folder.appendingPathComponent("server.pem").path
    let output = Pipe()
    life = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-c", Self.program, folder.path, isEncrypted ? "tls" : "plain"]
    process.standardInput = life
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.prefix { $0.isNumber }) else { throw Failure() }
    self.port = port
  }

  private static let program = #"""
    import gzip, http.server, os, shutil, socket, ssl, subprocess, sys, threading

    folder, mode = sys.argv[1:]
    arrived = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *words):
            pass

        def answer(self, status, body=b"", headers=()):
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def handle_any(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
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

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, request, address):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    if mode == "tls":
        key, certificate = folder + "/key.pem", folder + "/server.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
             "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)

    def live():
        sys.stdin.buffer.read()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)

    threading.Thread(target=live, daemon=True).start()
    print(server.server_port)
    server.serve_forever()
    """#
}
