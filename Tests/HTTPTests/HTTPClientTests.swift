import Foundation
import HTTP
import PythonServer
import Testing

@Suite("HTTP client") struct HTTPClientTests {
  private static let plain = Result { try PythonServer("faulty_server.py") }
  /// A server with TLS, and the PEM file of its self-signed certificate for `localhost`.
  private static let encrypted = Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("payrecon-http-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return (server: try PythonServer("faulty_server.py", folder.path), certificateFile: "\(folder.path)/server.pem")
  }

  private let server: PythonServer

  init() throws { server = try Self.plain.get() }

  private func request(
    _ method: HTTPRequest.Method = .get, _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil, deadline: Duration = .seconds(20), bodyLimit: Int = 2_000_000
  ) -> HTTPRequest {
    HTTPRequest(method, url, headers: headers, body: body, deadline: deadline, connectTimeout: .seconds(5), bodyLimit: bodyLimit)
  }

  private func failure(_ client: HTTPClient, _ request: HTTPRequest) async throws -> HTTPError {
    try #require(await #expect(throws: HTTPError.self) { _ = try await client.send(request) })
  }

  /// Returns libcurl's code of the failed connection to a URL; nil for any other failure.
  private func connectionFault(_ client: HTTPClient, _ url: String) async throws -> Int? {
    if case .transport(let code, _) = try await failure(client, request(.get, url)) { code } else { nil }
  }

  @Test(
    "method, path, headers and body arrive as they were given",
    arguments: [
      (HTTPRequest.Method.get, nil), (.post, "text"), (.post, ""), (.post, nil), (.put, "text"), (.put, nil),
    ] as [(HTTPRequest.Method, String?)])
  func methods(method: HTTPRequest.Method, text: String?) async throws {
    let body = text.map { Array($0.utf8) }
    let response = try await HTTPClient(connections: 1).send(
      request(method, "\(server.url)/echo?a=b%20c", headers: [("X-Sent", "v, w"), ("X-Empty", "")], body: body))
    #expect(response.status == 200)
    #expect(response.headers["x-method"] == method.rawValue)
    #expect(response.headers["X-PATH"] == "/echo?a=b%20c")
    #expect(response.headers["X-Many"] == "one")
    #expect(response.headers["X-Sent"] == "v, w")
    #expect(response.headers["X-Empty"] == "''")
    #expect(response.headers["X-Type"] == "none")
    #expect(response.headers["X-Absent"] == nil)
    #expect(response.body == (body ?? []))
  }

  @Test func `a large body goes up at once, and comes back whole`() async throws {
    let body = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let type = [(name: "Content-Type", value: "application/octet-stream")]
    let response = try await HTTPClient().send(request(.post, "\(server.url)/echo", headers: type, body: body))
    #expect(response.body == body)
    #expect(response.headers["X-Type"] == "application/octet-stream")
  }

  @Test("any status is a response, and a redirect is not followed", arguments: [204, 302, 400, 404, 429, 500, 503])
  func statuses(status: Int) async throws {
    let path = status == 302 ? "redirect" : "status/\(status)"
    let response = try await HTTPClient(connections: 1).send(request(.get, "\(server.url)/\(path)"))
    #expect(response.status == status)
    if status == 429 { #expect(response.headers["retry-after"] == "7") }
  }

  @Test func `a body over its limit ends the transfer, counted after decoding, and the connection goes on`() async throws {
    let client = HTTPClient(connections: 1)
    for path in ["large", "gzip"] {
      let over = request(.get, "\(server.url)/\(path)", bodyLimit: 999_999)
      #expect(try await failure(client, over) == .tooLarge(limit: 999_999))
      let exact = request(.get, "\(server.url)/\(path)", bodyLimit: 1_000_000)
      #expect(try await client.send(exact).body.count == 1_000_000)
    }
    let headers = try await failure(client, request(.get, "\(server.url)/headers"))
    #expect(headers == .tooLarge(limit: 1 << 18) || "\(headers)".contains("curl"))
  }

  @Test func `the deadline ends a silent and a slow response, and says what it waited for`() async throws {
    let client = HTTPClient(connections: 1)
    let silent = request(.get, "\(server.url)/silent", deadline: .milliseconds(200))
    #expect(try await failure(client, silent) == .timedOut(.waiting))
    let slow = request(.get, "\(server.url)/slow", deadline: .milliseconds(200))
    #expect(try await failure(client, slow) == .timedOut(.receiving))
    #expect(try await client.send(request(.get, "\(server.url)/echo")).status == 200)
  }

  @Test func `a refused and a cut connection are transport errors without the query`() async throws {
    let client = HTTPClient(connections: 1)
    // Port 1 of this machine has no server.
    let refused = try await failure(client, request(.get, "http://127.0.0.1:1/secret?token=hunter2"))
    guard case .transport(let code, _) = refused else { throw refused }
    #expect(code == 7)
    #expect(!"\(refused)".contains("hunter2"))
    #expect(!"\(refused)".contains("secret"))
    #expect(try await connectionFault(client, "\(server.url)/cut") == 18)
  }

  @Test func `cancelling ends a transfer under way and one that waits for a connection`() async throws {
    let client = HTTPClient(connections: 1)
    let hanging = request(.get, "\(server.url)/hang", deadline: .seconds(600))
    let running = Task { try await client.send(hanging) }
    // The server answers this request when the other one has arrived.
    #expect(try await HTTPClient(connections: 1).send(request(.get, "\(server.url)/arrived")).status == 200)
    let waiting = Task { try await client.send(hanging) }
    waiting.cancel()
    running.cancel()
    for task in [running, waiting] {
      let error = await #expect(throws: HTTPError.self) { _ = try await task.value }
      #expect(error == .cancelled)
    }
    #expect(try await client.send(request(.get, "\(server.url)/echo")).status == 200)
  }

  @Test func `connections are kept, and no more than allowed are used`() async throws {
    let client = HTTPClient(connections: 3)
    let ask = request(.get, "\(server.url)/peer", deadline: .seconds(600))
    let peers = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<60 { group.addTask { try await client.send(ask).headers["X-Peer"] } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect((1...3).contains(peers.count))
    #expect(!peers.contains(nil))
  }

  @Test func `more waiting requests than allowed are refused; a waiting one is timed out`() async throws {
    let client = HTTPClient(connections: 1, waitingMax: 0)
    let errors = await withTaskGroup(of: HTTPError?.self) { group in
      for _ in 0..<3 {
        group.addTask {
          do {
            _ = try await client.send(request(.get, "\(server.url)/silent", deadline: .milliseconds(500)))
            return nil
          } catch {
            return error as? HTTPError
          }
        }
      }
      return await group.reduce(into: [HTTPError?]()) { $0.append($1) }
    }
    #expect(errors.count { $0 == .tooManyWaiting(limit: 0) } >= 1)
    #expect(errors.count { $0 == .timedOut(.waiting) } >= 1)
    // One connection and equal deadlines: microseconds decide whether the second request expires in the queue or on the lane.
    let patient = HTTPClient(connections: 1)
    async let first = failure(patient, request(.get, "\(server.url)/silent", deadline: .milliseconds(900)))
    async let second = failure(patient, request(.get, "\(server.url)/silent", deadline: .milliseconds(900)))
    for phase in try await [first, second] {
      #expect(phase == .timedOut(.waiting) || phase == .timedOut(.queued))
    }
  }

  @Test(arguments: [
    "http://example.com/secret", "http://127.evil.example/", "http://127.0.0.1.example.com/",
    "http://localhost.example.com/", "http://10.0.0.1/", "http://[::2]/", "http://[::ffff:10.0.0.1]/",
    "http://0.0.0.0/", "ftp://127.0.0.1/", "file:///etc/passwd", "https://user:hunter2@example.com/",
    "https://user@example.com/", "http://127.0.0.1@example.com/", "http://example.com\\@127.0.0.1/", "gopher://localhost/", "",
    "not an address", "https://", "//example.com/",
  ]) func `addresses without encryption to other machines, with passwords or of other protocols are refused`(url: String) async throws {
    let error = try await failure(HTTPClient(connections: 1), request(.get, url))
    guard case .refusedURL(let reason) = error else { throw error }
    #expect(!reason.contains("hunter2"))
    #expect(!reason.contains("secret"))
  }

  @Test func `this machine may be called by any of its names`() async throws {
    for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
      let url = "http://\(host):\(server.port)/echo"
      #expect(try await HTTPClient(connections: 1).send(request(.get, url)).status == 200)
    }
  }

  @Test(arguments: [("X-A", "a\r\nX-B: b"), ("X-A\r\nX-B", "a"), ("X A", "a"), ("", "a"), ("X-A", "a\u{0}b")])
  func `a header that would end the line is refused by name`(name: String, value: String) async throws {
    let error = try await failure(HTTPClient(), request(.get, "\(server.url)/echo", headers: [(name, value)]))
    guard case .refusedHeader = error else { throw error }
  }

  @Test func `a self-made certificate is refused unless it is given as the root, and then only for its name`() async throws {
    let (server, certificateFile) = try Self.encrypted.get()
    let url = "https://localhost:\(server.port)/echo"
    #expect(try await connectionFault(HTTPClient(), url) == 60)
    let trusting = HTTPClient(certificateFile: certificateFile)
    #expect(try await trusting.send(request(.get, url)).status == 200)
    #expect(try await connectionFault(trusting, "https://127.0.0.1:\(server.port)/echo") == 60)
    #expect(try await connectionFault(HTTPClient(certificateFile: "/tmp/there-is-nothing-here.pem"), url) == 77)
  }
}
