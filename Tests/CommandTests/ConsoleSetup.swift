import FoundationEssentials
import Glibc

/// The console that most tests of the console share. Each test works on separate cases.
let console = ConsoleSetup.shared

/// The console over a small world, and a browser that follows the test.
actor ConsoleSetup {
  static let shared = ConsoleSetup()
  static let asOf = "2026-05-12T13:00:00Z"
  static let password = "correct horse battery"
  /// Number of cases with an unpaid order, beside two fraud cases. Requests for the next case return one of these. Only the page
  /// test decides them.
  static let plainCount = 100
  /// Number of younger cases. Each belongs to a single test.
  private static let ownCount = 40
  /// Accounts by role. Those of the second line of a role belong to one test each, which locks or ends them or counts their acts.
  private static let people = [
    "analyst": "ann amy zoe gil "
      + "gus ida kit lea lou ned old pat piet tia tim tom wim",
    "approver": "dora eve test_bob "
      + "mal mel pro prue",
    "reader": "rex rob "
      + "gone mia pia pim pry",
    "finance": "fay", "admin": "root",
  ]

  private static let made = Task<(Setup, NotificationServerProcess), any Error> { try await CleanUp.shared(make) }
  /// Sessions by account, each with the instant of its log-in.
  private var sessions: [String: (token: String, start: ContinuousClock.Instant)] = [:]
  /// Age up to which a session is handed out. The console ends a session after 30 idle minutes, and a slow suite takes longer.
  private static let sessionAgeMax = Duration.seconds(600)
  private var givenCount = 0

  func setup() async throws -> Setup { try await Self.made.value.0 }
  func port() async throws -> Int { try await Self.made.value.1.port }

  private static func make() async throws -> (Setup, NotificationServerProcess) {
    let setup = try await decided()
    for (role, names) in people { for name in names.split(separator: " ") { try await add(String(name), role, "", setup) } }
    for name in ["ops", "oli"] { try await add(name, "analyst", "operations", setup) }
    return (setup, try await serve(setup))
  }

  /// Starts a console that ends with the test, at the latest with the test process.
  static func serve(_ setup: Setup, _ words: String = "--console --as-of \(asOf)") async throws -> NotificationServerProcess {
    let server = try await NotificationServerProcess.start(setup, "\(words) 2> serve.err")
    CleanUp.atExit { kill(server.process, SIGTERM) }
    CleanUp.afterTest { kill(server.process, SIGTERM) }
    return server
  }

  /// Returns a dedicated database with the orders and their breaks, without a console. Two users claim one purchase, and an operator gave
  /// away a third order.
  static func decided(withPlainOrders: Bool = true) async throws -> Setup {
    let setup = try await Setup()
    let special = [
      Setup.order("PO-1", names: "100") + ",", Setup.order("PO-2", user: "U2", at: "2026-05-10T10:05:00Z", names: "100") + ",",
      Setup.order("PO-3", user: "U3", at: "2026-05-10T10:06:00Z") + ",op-7",
    ]
    let plain = (0..<plainCount).map { index in
      let created = "2026-05-\(index % 9 == 0 ? "" : "0")\(10 - index % 9)T0\(index % 10):00:00Z"
      return "PN-\(index),com.acme.kids,stars,V\(index),delivered,\(created),\(1000 + index),USD,,"
    }
    let own = (0..<ownCount).map { index in
      "PO-W\(index),com.acme.kids,stars,W\(index),delivered,2026-05-10T\(10 + index % 10):30:00Z,\(2000 + index),USD,,"
    }
    let orders = special + (withPlainOrders ? plain + own : [])
    try await setup.ingest("orders", Setup.table(Setup.orderHeader + ",operator_id", orders), asOf: asOf)
    try await setup.ingest("apple", ApplePurchase("100", at: "2026-05-10T10:00:00Z").jws + "\n", asOf: asOf)
    try await setup.decide(asOf: asOf)
    return setup
  }

  static func add(_ name: String, _ role: String, _ inbox: String, _ setup: Setup) async throws {
    let words = [Program.path, "account", "add", name, "--role", role] + (inbox.isEmpty ? [] : ["--inbox", inbox])
    try await setup.program.run(words, input: .bytes(Array("\(password)\n".utf8)), exits: 0)
  }

  /// Returns the browser of a logged-in account. An account logs in again once its session is old.
  func browser(_ person: String) async throws -> Browser {
    let port = try await port()
    if let session = sessions[person], ContinuousClock.now - session.start < Self.sessionAgeMax {
      return Browser(port: port, token: session.token)
    }
    let start = ContinuousClock.now
    let browser = try await Browser(port: port).logIn(person)
    sessions[person] = (browser.token, start)
    return browser
  }

  /// Returns the standard error of the server.
  func log() async throws -> String { try Setup.text("\(try await setup().directory)/serve.err") }

  /// Runs a job by the setup's clock, although another test's job may hold its lock.
  func job(_ words: String..., exits status: Int32 = 0) async throws {
    try await setup().patiently(words, asOf: Self.asOf, exits: status)
  }

  @discardableResult
  func query(_ sql: String) async throws -> String { try await setup().query(sql) }
  func count(_ rows: String) async throws -> Int { try await setup().count(rows) }
  func acts(_ condition: String) async throws -> String { try await setup().acts(condition) }

  /// Returns a customer whose case no other test touches. The queue offers all other cases first.
  func ownUser() throws -> String {
    defer { givenCount += 1 }
    try #require(givenCount < Self.ownCount, "more cases are needed")
    return "W\(givenCount)"
  }

  func ownCase() throws -> String { Self.caseID(try ownUser()) }

  static func caseID(_ user: String) -> String { String(SHA256.hex(Array("user|\(user)".utf8)).prefix(32)) }
}

struct ConsolePage {
  var status: Int
  var headers: [(name: String, value: String)] = []
  var body: String

  func header(_ name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }
  func cookie(_ name: String) -> String? {
    headers.first { $0.name == "set-cookie" && $0.value.hasPrefix("\(name)=") }?.value
      .dropFirst(name.utf8.count + 1).prefix { $0 != ";" }.description
  }
  /// The message of an act's answer.
  var message: String { body.firstMatch(of: /role="status">([^<]*)/).map { String($0.output.1) } ?? "" }
  /// The message that the page after an act shows.
  var done: String? { cookie("payrecon_done") }
  /// Token in the forms of the page.
  var csrf: String { body.firstMatch(of: /name="csrf" value="([0-9a-f]{64})"/).map { String($0.output.1) } ?? "" }
  /// Cases with a checkbox.
  var chosen: [String] { body.matches(of: /name="case" value="([0-9a-f]{32})"/).map { String($0.output.1) } }
  /// Cases that a list links to, in order.
  var cases: [String] { body.matches(of: /<td class="id"[^>]*><a href="\/cases\/([0-9a-f]{32})">/).map { String($0.output.1) } }
  var next: String? { body.firstMatch(of: /<a href="([^"]+)" rel="next">/).map { Self.unescaped($0.output.1) } }

  /// Verifies the status, parts of the message, parts of the page, and texts that the page lacks.
  func expect(
    _ status: Int, says words: String..., has parts: String..., lacks absent: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.status == status, "\(body)", sourceLocation: sourceLocation)
    for part in words { #expect(message.contains(part), "\"\(part)\" expected: \(body)", sourceLocation: sourceLocation) }
    for part in parts { #expect(body.contains(part), "\"\(part)\" expected: \(body)", sourceLocation: sourceLocation) }
    for part in absent { #expect(!body.contains(part), "no \"\(part)\" expected: \(body)", sourceLocation: sourceLocation) }
  }

  /// Returns an address without the escapes of HTML.
  static func unescaped(_ text: Substring) -> String {
    String(text).replacing("&#x3D;", with: "=").replacing("&#x2F;", with: "/").replacing("&#x27;", with: "'").replacing("&amp;", with: "&")
  }
}

/// A browser that sends exactly the requests of a test.
struct Browser: Sendable {
  let port: Int
  var token = ""
  /// Socket of a proxy; replaces the port.
  var socket: String?

  func get(_ path: String, headers: [String] = []) throws -> ConsolePage { try send("GET", path, headers, nil) }

  func pages(_ path: String) throws -> [ConsolePage] {
    var (pages, next): ([ConsolePage], String?) = ([], path)
    while let path = next, pages.count < 20 {
      pages.append(try get(path))
      try #require(pages.last?.status == 200, "\(path): \(pages.last?.body ?? "")")
      next = pages.last?.next
    }
    return pages
  }

  func cases(_ path: String) throws -> [String] { try pages(path).flatMap(\.cases) }

  /// Posts a form with the token of its session, unless a test gives another.
  func post(_ path: String, _ fields: [(String, String)] = [], csrf: String? = nil, headers: [String] = []) throws -> ConsolePage {
    let own = token.isEmpty ? "" : SHA256.hex(Array("payrecon form \(token)".utf8))
    let form = (fields + [("csrf", csrf ?? own)]).map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
    return try send("POST", path, headers + ["Content-Type: application/x-www-form-urlencoded"], form)
  }

  func send(_ method: String, _ path: String, _ headers: [String], _ body: String?) throws -> ConsolePage {
    let connection = try #require(socket.map { RawConnection(socket: $0) } ?? RawConnection(port: port), "nobody listens")
    let cookie = token.isEmpty ? [] : ["Cookie: payrecon_session=\(token)"]
    let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
    let head = ["\(method) \(path) HTTP/1.1", "Host: console", "Connection: close"] + cookie + headers + length
    connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    let text = try #require(connection.readToEnd())
    let parts = text.components(separatedBy: "\r\n\r\n")
    let lines = parts[0].components(separatedBy: "\r\n")
    let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), String(line[line.index(colon, offsetBy: 2)...]))
    }
    return ConsolePage(
      status: lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, headers: fields,
      body: parts.dropFirst().joined(separator: "\r\n\r\n"))
  }

  func makeToken(_ name: String = "a program") throws -> String {
    let page = try post("/tokens", [("name", name), ("days", "30")])
    let token = page.body.firstMatch(of: /<code>(payrecon_[0-9a-f]{64})<\/code>/)
    return String(try #require(token, "\(page.status) \(page.body)").output.1)
  }

  func logIn(_ person: String, _ password: String = ConsoleSetup.password, headers: [String] = []) async throws -> Browser {
    let answer = try attempt(person, password, headers: headers)
    try #require(answer.status == 303, "\(person): \(answer.status) \(answer.body)")
    return Browser(port: port, token: try #require(answer.cookie("payrecon_session")))
  }

  /// Returns the answer of the log-in form.
  func attempt(_ person: String, _ password: String = ConsoleSetup.password, headers: [String] = []) throws -> ConsolePage {
    let form = try Browser(port: port).get("/login")
    let before = try #require(form.cookie("payrecon_login"))
    return try Browser(port: port).post(
      "/login", [("account", person), ("password", password)], csrf: form.csrf, headers: headers + ["Cookie: payrecon_login=\(before)"])
  }

  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
