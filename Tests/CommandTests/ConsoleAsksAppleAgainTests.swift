import Dispatch

/// Apple is queried again before a customer is punished. A changed answer must be inspected first.
@Suite(.serialized, .cleansUp) struct ConsoleAsksAppleAgainTests {
  private static let asOf = "2026-11-05T13:00:00Z"
  private static let takeBack = [("action", "take_back"), ("outcome", "confirmed"), ("reason", "replay")]
  private static let ban = [("action", "ban"), ("outcome", "confirmed"), ("reason", "replay")]

  private struct World {
    var setup: Setup
    var store: AppStoreSimulator
    var port: Int
    /// The purchase that all users but U2 claim.
    var shared: String

    func browser(_ name: String) async throws -> Browser { try await Browser(port: port).logIn(name) }
    /// Returns Apple's recorded answer at each step of a case.
    func words(_ user: String) async throws -> String {
      try await setup.query(
        "select string_agg(step || ' ' || coalesce(apple, '-'), ', ' order by at) from payrecon.case_decisions where subject_id = '\(user)'"
      )
    }
  }

  /// Opens a world where U1 and U4 bought one item each. Others claim the same, and U3 claims an id unknown to Apple.
  private func open() async throws -> World {
    var setup = try await Setup()
    let store = try await setup.openAppStore()
    let bought = try store.change(.production) { store in
      try ["C1", "C4"].map { try store.buy("com.example.reader.coins.100", for: try store.addCustomer($0)) }
    }
    try setup.addSettings("inputs: {orders: {max_age: 3650d}, apple: {max_age: 3650d}}\n")
    let claims = [("U1", bought[0]), ("U2", bought[0]), ("U3", "999")] + (4...9).map { ("U\($0)", bought[1]) }
    let lines = claims.enumerated().map { index, claim in
      "PO-\(index),com.example.reader,com.example.reader.coins.100,\(claim.0),delivered,2026-11-02T00:0\(index):00Z,990,USD,\(claim.1)"
    }
    try setup.write("orders.csv", Setup.table(lines))
    for words in [["ingest", "orders", "orders.csv"], ["collect", "transactions"], ["match"], ["detect"]] {
      let done = try await setup.program.run([Program.path] + words + ["--as-of", Self.asOf])
      try #require((done.status ?? 9) < 2, "\(words) \(done.complaint)")
    }
    for (name, role) in [("ann", "analyst"), ("dora", "approver"), ("eve", "approver")] {
      try await ConsoleSetup.add(name, role, "", setup)
    }
    let server = try await ConsoleSetup.serve(setup, "--console --as-of \(Self.asOf)")
    return World(setup: setup, store: store, port: server.port, shared: bought[1])
  }

  private func path(_ user: String) -> String { "/cases/\(ConsoleSetup.caseID(user))" }

  /// Returns the token of the shown answer, which the next form must contain.
  private func seen(_ page: ConsolePage) -> String {
    page.body.firstMatch(of: /name="apple" value="([0-9a-f]{32})"/).map { String($0.output.1) } ?? ""
  }

  /// Repeats a request until the simulated store answers within a user's waiting time. The store runs in this process, where other
  /// tests may block its threads. A request without an answer changes nothing.
  private static func patiently(_ ask: @escaping @Sendable () throws -> ConsolePage) async throws -> ConsolePage {
    for _ in 0..<triesMax {
      let page = try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "payrecon.browser").async { continuation.resume(with: Result { try ask() }) }
      }
      if !page.body.contains(silent) { return page }
    }
    throw NoAnswer()
  }

  private struct NoAnswer: Error {}
  private static let triesMax = 12
  private static let silent = "did not answer within"

  private static func asked(_ browser: Browser, _ path: String, _ form: [(String, String)]) async throws -> ConsolePage {
    try await patiently { try browser.post(path, form) }
  }

  @Test func appleIsQueriedBeforeAPunishment() async throws {
    let world = try await open()
    let (ann, dora, eve) = (try await world.browser("ann"), try await world.browser("dora"), try await world.browser("eve"))
    // The answer is as known, so the decision is recorded at once with a note.
    #expect(try ann.post("\(path("U2"))/take").done == "take")
    let plain = try await Self.asked(ann, "\(path("U2"))/decide", Self.takeBack)
    #expect(plain.done == "decided", "\(plain.body)")
    #expect(try await world.words("U2") == "effective as_known")
    #expect(try ann.get(path("U2")).body.contains("Apple asked: as known"))
    // The purchase was refunded since. Both reviewers must inspect the answer first.
    try world.store.change(.production) { try $0.refund(world.shared) }
    #expect(try dora.post("\(path("U5"))/take").done == "take")
    let objection = try await Self.asked(dora, "\(path("U5"))/decide", Self.ban)
    objection.expect(409, has: "refunded", "Go on all the same")
    #expect(try await Self.asked(dora, "\(path("U5"))/decide", Self.ban + [("apple", String(repeating: "0", count: 32))]).status == 409)
    #expect(try await world.words("U5") == "")
    #expect(try await Self.asked(dora, "\(path("U5"))/decide", Self.ban + [("apple", seen(objection))]).done == "proposed")
    let second = try await Self.asked(eve, "\(path("U5"))/approve", [("reason", "seen")])
    #expect(second.status == 409 && seen(second) == seen(objection), "\(second.body)")
    #expect(try await Self.asked(eve, "\(path("U5"))/approve", [("reason", "seen"), ("apple", seen(second))]).done == "approve")
    #expect(try await world.words("U5") == "proposed differs, effective differs")
    try await manyAndPrograms(world, dora)
    try await silence(world, ann)
    // No lock blocks other programs, and the chain contains every act.
    try world.setup.write("more.ndjson", "{}\n")
    try await world.setup.program("ingest", "apple", "more.ndjson", "--as-of", Self.asOf, exits: 1, lacks: "another")
    #expect(try await world.setup.count("audit_log where act = 'apple_asked' and details like '%\"apple\":\"differs\"%'") >= 8)
    #expect(try await world.setup.program("audit", "verify").status == 0)
  }

  private func manyAndPrograms(_ world: World, _ dora: Browser) async throws {
    let many = Self.takeBack + [("case", ConsoleSetup.caseID("U6")), ("case", ConsoleSetup.caseID("U7"))]
    let preview = try await Self.asked(dora, "/bulk", many)
    #expect(preview.status == 200 && preview.body.contains("refunded") && !seen(preview).isEmpty, "\(preview.body)")
    #expect(try await Self.asked(dora, "/bulk", many + [("confirmed", "yes")]).status == 409)
    #expect(try await Self.asked(dora, "/bulk", many + [("confirmed", "yes"), ("apple", seen(preview))]).status == 303)
    #expect(try await world.words("U6") == "effective differs")
    let (port, place, token) = (world.port, path("U8"), try dora.makeToken())
    func program(_ act: String, _ body: String) async throws -> ConsolePage {
      try await Self.patiently {
        try Browser(port: port).send("POST", "/api/v1\(place)/\(act)", ["Authorization: Bearer \(token)"], body)
      }
    }
    #expect(try await program("take", "").status == 200)
    let decision = #""action":"take_back","outcome":"confirmed","reason":"x""#
    let refused = try await program("decide", "{\(decision)}")
    #expect(refused.status == 409, "\(refused.body)")
    let named = try #require(refused.body.firstMatch(of: /apple\\": \\"([0-9a-f]{32})/), "\(refused.body)").output.1
    #expect(try await program("decide", "{\(decision),\"apple\":\"\(named)\"}").body == #"{"done":"decided"}"#)
    // The command line works alike.
    let clock = try await world.setup.query("select payrecon.rfc3339(max(at)) from payrecon.case_decisions")
    let (id, roles) = (ConsoleSetup.caseID("U9"), ["payrecon_review", "payrecon_report", "payrecon_jobs"])
    var bob = world.setup.program
    bob.environment["PAYRECON_DATABASE_URL"] = try await TestServer.shared.login("keeper", to: world.setup.connection, roles: roles)
      .conninfo
    #expect(try await bob("queue", "take", id, "--as-of", clock).status == 0)
    let words = ["queue", "decide", id, "--action", "take_back", "--reason", "x", "--as-of", clock]
    /// Decides, and repeats it until the simulated store answers in time.
    func decide(_ more: String...) async throws -> Execution {
      var run = try await bob.run([Program.path] + words + more)
      for _ in 0..<Self.triesMax where run.complaint.contains(Self.silent) { run = try await bob.run([Program.path] + words + more) }
      return run
    }
    let first = try await decide()
    let option = try #require(first.complaint.firstMatch(of: /--apple-seen ([0-9a-f]{32})/), "\(first.complaint)").output.1
    #expect(first.status == 2 && first.complaint.contains("state was charged, Apple says refunded"), "\(first.complaint)")
    #expect(try await decide("--apple-seen", String(option)).status == 0)
    #expect(try await world.words("U9") == "effective differs")
  }

  private func silence(_ world: World, _ ann: Browser) async throws {
    #expect(try ann.post("\(path("U3"))/take").done == "take")
    world.store.script(Fault(.status(503), endpoint: .transactionInfo, count: 1000))
    try ann.post("\(path("U3"))/decide", Self.takeBack).expect(409, has: "Apple could not be asked")
    #expect(try ann.post("\(path("U3"))/decide", Self.takeBack + [("unasked", "no")]).status == 409)
    #expect(try ann.post("\(path("U3"))/decide", Self.takeBack + [("unasked", "yes")]).done == "decided")
    #expect(try await world.words("U3") == "effective out_of_reach")
    world.store.clearFaults()
  }
}
