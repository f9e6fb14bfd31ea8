import Glibc

/// The server with clients that hang, send slowly or never end, and with a hanging database.
@Suite(.serialized, .cleansUp) struct HangingClientsAndDatabaseTests {
  /// Returns a distinct signed post, because only texts signed by Apple are queued, each once.
  private static func post(_ number: Int) -> String {
    Scenario.notification(
      "ONE_TIME_CHARGE", uuid: "s-\(number)", ApplePurchase("\(7000 + number)", at: "2026-05-01T00:00:00Z"),
      signedAt: "2026-05-01T00:00:01Z")
  }

  private static let head = "POST /notifications HTTP/1.1\r\nHost: x\r\n"

  /// The shared server, and the environment that it serves.
  private let (server, setup): (NotificationServerProcess, Setup)

  init() async throws { (server, setup) = try await Self.shared.value }

  /// Requests that never end. The server must close each connection.
  @Test func unfinishedRequestsAreClosed() async throws {
    let begun = try [
      ("nothing at all", ""), ("half a header", "POST /notifications HTTP/1.1\r\nHo"),
      ("half a body", Self.head + "Content-Length: 100\r\n\r\n{\"a\":"),
      ("a chunk that is cut", Self.head + "Transfer-Encoding: chunked\r\n\r\n40\r\nabc"),
    ].map { name, text in
      let connection = try #require(RawConnection(port: server.port))
      connection.send(text)
      return (name, connection)
    }
    for (name, connection) in begun {
      let answer = try #require(connection.readToEnd(), "\(name): still open after a minute")
      #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(name)")
    }
  }

  /// A head with no host, two hosts or an unknown expectation is refused. A client that waits for `100 Continue` gets it.
  @Test func headsAreChecked() async throws {
    for (number, (fields, answer)) in [
      ("Host: x\r\n", "HTTP/1.1 200"), ("", "HTTP/1.1 400"), ("Host: x\r\nHost: x\r\n", "HTTP/1.1 400"), ("Host: x, y\r\n", "HTTP/1.1 400"),
      ("Host: x\r\nExpect: 100-continue\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"),
      ("Host: x\r\nExpect: tea\r\n", "HTTP/1.1 417"),
    ].enumerated() {
      let connection = try #require(RawConnection(port: server.port))
      let body = Self.post(number)
      connection.send("POST /notifications HTTP/1.1\r\n\(fields)Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      let text = connection.readToEnd() ?? ""
      #expect(text.hasPrefix(answer), "\(fields): \(text)")
    }
  }

  @Test func emptyAndLongPostsAreRefused() async throws {
    #expect(server.answer(to: "") == 400)
    #expect(server.answer(to: String(repeating: " ", count: (1 << 20) + 1)) == 413)
  }

  @Test func `an address on which the server cannot listen is named with its remedy`() async throws {
    for (host, place, reason) in [
      ("127.0.0.1", "\"127.0.0.1\", port \(server.port)", "Address already in use"),
      ("no.such.host.invalid", "\"no.such.host.invalid\", port", "the host is not known"),
      ("192.0.2.1", "\"192.0.2.1\", port", "Cannot assign requested address"),
    ] {
      try await setup.program(
        "serve", "--notifications", "--host", host, "--port", "\(server.port)", exits: 2, complains: "could not listen on \(place)",
        reason, "--port")
    }
  }

  @Test func optionsThatDoNothingAreRefused() async throws {
    for (words, complaint) in [
      (["--console", "--proxy", "localhost"], "--proxy \"localhost\" is no IP address"),
      (["--notifications", "--proxy", "127.0.0.1"], "go with --console"), (["--notifications", "--tls"], "go with --console"),
    ] {
      try await setup.program.run([Program.path, "serve"] + words, exits: 64, complains: complaint)
    }
  }

  @Test func slowBytesExtendNoDeadline() async throws {
    let connection = try #require(RawConnection(port: server.port))
    let drip = Task.detached {
      connection.send(Self.head + "Content-Length: 1000\r\n\r\n")
      for _ in 0..<600 {
        connection.send("x")
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    #expect(connection.readToEnd() != nil)
    drip.cancel()
  }

  @Test func connectionsThatEndAreClosed() async throws {
    let versions = ["HTTP/1.0\r\n", "HTTP/1.0\r\nConnection: keep-alive\r\n", "HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n"]
    for (number, version) in versions.enumerated() {
      let connection = try #require(RawConnection(port: server.port))
      let body = Self.post(number)
      connection.send("POST /notifications \(version)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      #expect(connection.status() == 200, "\(version)")
    }
  }

  /// More connections than the server accepts at once. The rest is accepted when the idle ones are closed.
  @Test func idleConnectionsDoNotBlockPosts() async throws {
    let idle = (0..<600).compactMap { _ in RawConnection(port: server.port) }
    #expect(server.answer(to: Self.post(1)) == 200)
    #expect(idle.count == 600)
  }

  /// Incomplete bodies share a memory limit. Released memory is available to others.
  @Test func incompleteBodiesHaveAMemoryLimit() async throws {
    let mebibyte = 1 << 20
    var halves: [RawConnection] = []
    for _ in 0..<70 {
      let connection = try #require(RawConnection(port: server.port))
      connection.send(Self.head + "Content-Length: \(mebibyte)\r\n\r\n" + String(repeating: " ", count: mebibyte - 1))
      halves.append(connection)
    }
    // 64 of them fit, and the others are refused. None of the 64 is answered before its body is complete.
    for _ in 0..<600 where halves.count(where: \.isAnswered) < 6 { try await Task.sleep(for: .milliseconds(100)) }
    let answers = halves.filter(\.isAnswered).map { $0.status() }
    #expect(answers.count { $0 == 503 } >= 6 && !answers.contains(200), "\(answers)")
    halves = []
    try await Self.untilTaken(server)
  }

  /// All database processes are stopped by a signal. Posts are refused with one message, and accepted once the database continues.
  @Test func hangingDatabaseRefusesPosts() async throws {
    try await Self.servingPrivately { server, setup in
      #expect(server.answer(to: Self.post(0)) == 200)
      let processes = try await Self.databaseProcesses(setup)
      for process in processes { kill(process, SIGSTOP) }
      let answers = (1...5).map { server.answer(to: Self.post($0)) }
      let health = RawConnection(port: server.port)
      health?.send("GET /health HTTP/1.0\r\n\r\n")
      let healthStatus = health?.status()
      for process in processes { kill(process, SIGCONT) }
      #expect(answers == [503, 503, 503, 503, 503])
      #expect(healthStatus == 503)
      try await Self.untilTaken(server)
      kill(server.process, SIGTERM)
      let end = try await server.execution.value
      #expect(end.complaint.split(separator: "\n").count { $0.contains("posts refused") } == 1, "\(end.complaint)")
      #expect(end.complaint.split(separator: "\n").count { $0.contains("posts are taken again") } == 1, "\(end.complaint)")
    }
  }

  /// At night nobody could start a dead database, so the program does. A database stopped by command stays stopped.
  @Test func deadDatabaseIsRestartedAndAStoppedOneIsNot() async throws {
    try await Self.servingPrivately { server, setup in
      #expect(server.answer(to: Self.post(0)) == 200)
      for process in try await Self.databaseProcesses(setup) { kill(process, SIGKILL) }
      try await Self.untilTaken(server)
      #expect(try await setup.count("received_notifications") >= 2)
      #expect(try await setup.program("database", "stop").status == 0)
      for number in 1...2 { #expect(server.answer(to: Self.post(number)) == 503) }
      #expect(try await setup.program("database", "status").text.contains("stopped"))
      #expect(try await setup.program("database", "start").status == 0)
      try await Self.untilTaken(server)
    }
  }

  @Test func `after its server was killed, a console reports that, starts the server again and continues`() async throws {
    try await Self.servingPrivately("--console") { server, setup in
      let browser = Browser(port: server.port)
      #expect(try browser.get("/health").status == 200)
      kill(try await setup.postmaster(), SIGKILL)
      var statuses: [Int] = []
      for _ in 0..<300 where statuses.last != 200 || !statuses.contains(503) {
        statuses.append(try browser.get("/health").status)
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(statuses.contains(503) && statuses.last == 200, "\(statuses)")
      #expect(try browser.attempt("nobody", "no password of mine").status == 401)
      // A server stopped by command stays stopped, and health agrees with the pages.
      try await setup.program("database", "stop", exits: 0)
      try await Task.sleep(for: .milliseconds(1200))
      #expect(try browser.get("/health").status == 503)
      #expect(try browser.attempt("nobody", "no password of mine").status == 503)
    }
  }

  @Test func endlessRequestDoesNotDelayTheEnd() async throws {
    let server = try await NotificationServerProcess.start(try await Setup())
    let connection = try #require(RawConnection(port: server.port))
    connection.send(Self.head + "Content-Length: 100\r\n\r\n{\"a\":")
    #expect(server.answer(to: Self.post(1)) == 200)
    kill(server.process, SIGTERM)
    let end = try await server.execution.value
    #expect(!end.isOverdue && end.signal == nil, "\(end.complaint)")
    #expect(connection.readToEnd() != nil)
  }

  // MARK: Environment

  /// A server and its environment, for all tests that neither end it nor stop its database.
  private static let shared = Task<(server: NotificationServerProcess, setup: Setup), any Error> {
    try await CleanUp.shared {
      let setup = try await Setup()
      let server = try await NotificationServerProcess.start(setup)
      CleanUp.atExit { kill(server.process, SIGTERM) }
      return (server, setup)
    }
  }

  /// Runs `body` on a private cluster, which it may stop.
  private static func servingPrivately(
    _ words: String = "--notifications", _ body: (NotificationServerProcess, Setup) async throws -> Void
  ) async throws {
    let setup = try await Setup.withCluster()
    try await setup.program("init", exits: 0)
    let server = try await NotificationServerProcess.start(setup, words)
    defer { kill(server.process, SIGTERM) }
    try await body(server, setup)
  }

  /// Returns the postmaster and all its children, the postmaster first.
  private static func databaseProcesses(_ setup: Setup) async throws -> [pid_t] {
    let postmaster = try await setup.postmaster()
    let children = try Setup.bytes("/proc/\(postmaster)/task/\(postmaster)/children")
    return [postmaster] + String(decoding: children, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
  }

  private static func untilTaken(_ server: NotificationServerProcess) async throws {
    for number in 100..<700 {
      if server.answer(to: post(number)) == 200 { return }
      try await Task.sleep(for: .milliseconds(100))
    }
    Issue.record("posts are never taken again")
  }
}
