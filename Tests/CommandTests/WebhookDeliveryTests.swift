import Foundation

/// Webhook messages about new cases, decisions and verdicts, to a receiver that fails, hangs and receives repeats.
@Suite(.cleansUp) struct WebhookDeliveryTests {
  private struct Post: Decodable {
    struct Body: Decodable {
      var type: String
      var timestamp: String
      var data: [String: JSONCell]
    }
    var path: String
    var id: String
    var is_valid: Bool
    var type: String
    var text: String
    var body: Body
  }

  private static let asOf = "2026-05-12T13:00:00Z"
  private static let header = "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency"
  private static let key = "whsec_" + Data((0..<32).map { UInt8($0) }).base64EncodedString()

  private let setup: Setup

  init() async throws {
    setup = try await Setup()
    try setup.write("key", Self.key + "\n")
  }

  /// Starts the receiver, until the end of the test. Returns its port.
  private func sink() async throws -> Int {
    let script = "echo $$ > sink.pid; exec python3 \"$0\" key posts > sink.port"
    Task { try await setup.program.run(["sh", "-c", script, "\(TestServer.repository)/Tests/CommandTests/webhook_sink.py"]) }
    for _ in 0..<1000 {
      if let port = try? Setup.lines("\(setup.directory)/sink.port").first.flatMap({ Int($0) }),
        let process = try? Setup.lines("\(setup.directory)/sink.pid").first.flatMap({ pid_t($0) })
      {
        CleanUp.afterTest { kill(process, SIGTERM) }
        return port
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Program.SpawnFailure(description: "no receiver listens")
  }

  private func webhooks(_ port: Int, _ places: [(name: String, path: String, rest: String)]) throws {
    let lines = places.map { place in
      "  - {name: \(place.name), url: \"http://127.0.0.1:\(port)\(place.path)\", secret_file: key, timeout: 1s\(place.rest)}"
    }
    try setup.write("payrecon.yaml", Setup.settings() + "webhooks:\n\(lines.joined(separator: "\n"))\n")
  }

  private func posts(_ path: String = "/take") throws -> [Post] {
    let lines = (try? Setup.lines("\(setup.directory)/posts")) ?? []
    return try lines.map { try JSONDecoder().decode(Post.self, from: Data($0.utf8)) }.filter { $0.path == path }
  }

  private func send() async throws -> String {
    return try await setup.patiently(["webhooks", "send"], asOf: Self.asOf, exits: 0, lacks: "127.0.0.1:", "whsec_").text
  }

  private func detect(_ orders: [String], at clock: String = asOf) async throws {
    if !orders.isEmpty { try await setup.ingest("orders", Setup.table(Self.header, orders), asOf: clock) }
    try await setup.decide(asOf: clock, mayMissInput: true)
  }

  @Test func messagesAreSentAtLeastOnce() async throws {
    let port = try await sink()
    try webhooks(port, [("good", "/take", ""), ("bad", "/fail", ", events: [run.ended]"), ("slow", "/hang", ", events: [case.opened]")])
    try await detect(["PO-0,com.acme.kids,stars,U0,delivered,2026-05-01T00:00:00Z,1000,USD"])
    // Events before the first start are not sent.
    #expect(try await send() == "webhooks: gathered 0, taken 0, not taken 0\n")
    try await detect(["PO-1,com.acme.kids,stars,U1,delivered,2026-05-02T00:00:00Z,1000,USD"])
    // Two verdicts and the case of U1. The two other receivers fail, and their three posts are not accepted.
    #expect(try await send() == "webhooks: gathered 3, taken 3, not taken 3\n")
    let first = try posts()
    #expect(first.map(\.body.type).sorted() == ["case.opened", "run.ended", "run.ended"])
    #expect(first.allSatisfy { $0.is_valid && $0.type == "application/json" }, "\(first)")
    let opened = try #require(first.first { $0.body.type == "case.opened" })
    #expect(opened.body.data["case_id"]?.text == ConsoleSetup.caseID("U1") && opened.body.timestamp == Self.asOf)
    #expect(opened.body.data["names"]?.text == "ORDER_NO_TX" && !opened.text.contains("U1"), "\(opened.text)")
    #expect(first.contains { $0.body.data["job"]?.text == "detect" && $0.body.data["verdict"]?.text == "incomplete" }, "\(first)")
    // An accepted message is sent once. A failed one is sent again when its retry is due.
    #expect(try await send() == "webhooks: gathered 0, taken 0, not taken 0\n")
    #expect(try posts("/fail").count == 2 && posts("/hang").count == 1)
    let waits = "select string_agg(distinct try_count || ' ' || (next_at > clock_timestamp() + interval '50 seconds'), ',')"
    #expect(try await setup.query("\(waits) from payrecon.webhook_posts where webhook = 'bad'") == "1 true")
    try await theDecision(port)
    try await whatIsStuckIsNamed(port)
  }

  @Test func `the first night that names webhooks sends its own verdict and cases`() async throws {
    try webhooks(try await sink(), [("good", "/take", "")])
    try setup.write("inbox/orders.csv", Setup.table(Self.header, ["PO-1,com.acme.kids,stars,U1,delivered,2026-05-02T00:00:00Z,1000,USD"]))
    try await setup.nightly(asOf: Self.asOf, exits: 3)
    let sent = try posts()
    #expect(sent.contains { $0.body.data["job"]?.text == "nightly" && $0.body.data["verdict"]?.text == "incomplete" }, "\(sent)")
    #expect(sent.contains { $0.body.type == "case.opened" && $0.body.data["names"]?.text == "ORDER_NO_TX" }, "\(sent)")
    #expect(try await send() == "webhooks: gathered 0, taken 0, not taken 0\n")
  }

  /// A night first gathers what was decided since the last one. So a case that it opens again counts as returned.
  @Test func aCaseThatReturnsInTheNextNightIsSentAgain() async throws {
    try webhooks(try await sink(), [("good", "/take", "")])
    try setup.write("inbox/orders.csv", Setup.table(Self.header, ["PO-1,com.acme.kids,stars,U1,delivered,2026-05-02T00:00:00Z,1000,USD"]))
    try await setup.nightly(asOf: Self.asOf, exits: 3)
    let id = ConsoleSetup.caseID("U1")
    try await setup.patiently(["queue", "take", id], asOf: Self.asOf, exits: 0)
    let acceptance = ["--action", "accept", "--until", "2026-05-13T00:00:00Z", "--reason", "as agreed"]
    try await setup.patiently(["queue", "decide", id] + acceptance, asOf: Self.asOf, exits: 0)
    try await setup.nightly(asOf: "2026-05-14T13:00:00Z", exits: 3)
    #expect(try posts().count { $0.body.type == "case.opened" && $0.body.data["case_id"]?.text == id } == 2)
  }

  /// A receiver that states when it takes events again is not called before. One that is gone is not called until its settings change.
  @Test func receiversThatRefuseAreLeftAlone() async throws {
    let port = try await sink()
    let rest = ", events: [run.ended]"
    let busy = [("busy", "/busy/7200", rest), ("shut", "/busy/99999999", rest)]
    try webhooks(port, busy + [("gone", "/gone", rest)])
    #expect(try await send() == "webhooks: gathered 0, taken 0, not taken 0\n")
    try await detect(["PO-1,com.acme.kids,stars,U1,delivered,2026-05-02T00:00:00Z,1000,USD"])
    // Two verdicts wait for each receiver, which refuses the first.
    #expect(try await send().hasSuffix(", taken 0, not taken 3\n"))
    let hours = "select string_agg(distinct round(extract(epoch from next_at - clock_timestamp()) / 3600)::text, ',')"
    for (name, expected) in [("busy", "2"), ("shut", "24")] {
      #expect(try await setup.query("\(hours) from payrecon.webhook_posts where webhook = '\(name)'") == expected, "\(name)")
    }
    try await setup.query("update payrecon.webhook_posts set next_at = clock_timestamp() where webhook = 'gone'")
    try await setup.patiently(
      ["webhooks", "send"], asOf: Self.asOf, exits: 0, text: "webhooks: gathered 0, taken 0, not taken 0\n",
      complains: "a webhook gets no events until its settings change")
    #expect(try posts("/gone").count == 1)
    try await setup.program("webhooks", "list", "--format", "csv", prints: "gone,gone,1,", "gone,waiting,1,", "busy,waiting,2,")
    try await setup.program(
      "doctor", "--as-of", Self.asOf, prints: "fault webhooks: gone: 1 events and all others wait until its settings change")
    try webhooks(port, busy + [("gone", "/take", rest)])
    // With other settings its events wait for the next start.
    try await setup.program("webhooks", "list", "--format", "csv", prints: "gone,waiting,2,", lacks: "gone,gone,")
    #expect(try await send() == "webhooks: gathered 0, taken 2, not taken 0\n")
  }

  /// Verifies that a decision is sent with its action and outcome, but without its reason.
  private func theDecision(_ port: Int) async throws {
    let id = ConsoleSetup.caseID("U1")
    #expect(try await setup.program("queue", "take", id, "--as-of", Self.asOf).status == 0)
    let words = ["--action", "dismiss", "--outcome", "false_positive", "--reason", "Mary asked"]
    try await setup.program.run([Program.path, "queue", "decide", id] + words + ["--as-of", Self.asOf], exits: 0)
    #expect(try await send().hasPrefix("webhooks: gathered 1, taken 1"))
    let post = try #require(try posts().last)
    #expect(post.body.type == "case.decided" && post.body.data["case_id"]?.text == id && !post.text.contains("Mary"), "\(post.text)")
    #expect(post.body.data["act"]?.text == "effective" && post.body.data["action"]?.text == "dismiss")
    // The sender is killed while the receiver has the message. It is sent again under the same id.
    try webhooks(port, [("good", "/hang", "")])
    try await detect(["PO-2,com.acme.kids,stars,U2,delivered,2026-05-03T00:00:00Z,1000,USD"])
    let before = try posts("/hang").count
    let path = setup.directory
    let killed = try await setup.program.run(
      [Program.path, "webhooks", "send", "--as-of", Self.asOf],
      kill: .when { ((try? Setup.lines("\(path)/posts"))?.count { $0.contains("\"/hang\"") } ?? 0) > before })
    #expect(killed.signal == SIGKILL)
    try webhooks(port, [("good", "/take", "")])
    #expect(try await send() == "webhooks: gathered 0, taken 3, not taken 0\n")
    let again = try #require(try posts("/hang").last)
    #expect(try posts().contains { $0.id == again.id && $0.text == again.text })
  }

  /// A decided case that returns is sent again. An undone decision is sent with its action.
  @Test func returningCasesAreSentAgain() async throws {
    try webhooks(try await sink(), [("good", "/take", "")])
    #expect(try await send() == "webhooks: gathered 0, taken 0, not taken 0\n")
    try await detect(["PO-1,com.acme.kids,stars,U1,delivered,2026-05-02T00:00:00Z,1000,USD"])
    _ = try await send()
    let id = ConsoleSetup.caseID("U1")
    func queue(_ clock: String, _ words: [String]) async throws { try await setup.patiently(["queue"] + words, asOf: clock, exits: 0) }
    let why = ["--reason", "as agreed"]
    try await queue(Self.asOf, ["take", id])
    try await queue(Self.asOf, ["decide", id, "--action", "accept", "--until", "2026-05-20T00:00:00Z"] + why)
    _ = try await send()
    // After the acceptance nothing is pending, and the detection of the next day adds nothing.
    try await detect([], at: "2026-05-13T00:00:00Z")
    _ = try await send()
    func posts(_ type: String) throws -> [Post] { try self.posts().filter { $0.body.type == type && $0.body.data["case_id"]?.text == id } }
    let first = try posts("case.opened")
    #expect(first.count == 1, "\(first.map(\.text))")
    try await detect([], at: "2026-05-21T00:00:00Z")
    _ = try await send()
    #expect(try posts("case.opened").count == 2, "the acceptance ended")
    #expect(Set(try posts("case.opened").map(\.id)).count == 2)
    try await queue("2026-05-21T01:00:00Z", ["take", id])
    try await queue("2026-05-21T01:00:00Z", ["decide", id, "--action", "dismiss"] + why)
    try await queue("2026-05-21T01:05:00Z", ["undo", id] + why)
    // A decision by two people is sent when it is proposed and when the other account approves it.
    try await queue("2026-05-21T01:10:00Z", ["take", id])
    try await queue("2026-05-21T01:10:00Z", ["decide", id, "--action", "write_off"] + why)
    try await setup.login("bob")("queue", "approve", id, "--reason", "seen", "--as-of", "2026-05-21T01:15:00Z", exits: 0)
    _ = try await send()
    let acts = try posts("case.decided").map { $0.body.data }
    #expect(acts.map { $0["act"]?.text } == ["effective", "effective", "undone", "proposed", "effective"])
    #expect(acts.map { $0["action"]?.text } == ["accept", "dismiss", "dismiss", "write_off", "write_off"])
    #expect(acts.map { $0["outcome"]?.text } == ["confirmed", "false_positive", "false_positive", "confirmed", "confirmed"])
    #expect(acts[3]["account"]?.text != acts[4]["account"]?.text)
  }

  /// An act is sent once for each other account that it concerns, with the first of its reasons, to the webhooks that ask for it.
  @Test func concernedAccountsAreSent() async throws {
    try webhooks(try await sink(), [("good", "/take", ""), ("people", "/people", ", events: [account.notified]")])
    try await detect((1...2).map { "PO-\($0),com.acme.kids,stars,U\($0),delivered,2026-05-0\($0)T00:00:00Z,1000,USD" })
    _ = try await send()
    let server = try await ConsoleSetup.serve(setup, "--console --as-of \(Self.asOf)")
    var browsers: [String: Browser] = [:]
    for (name, role) in [("gil", "analyst"), ("dora", "approver"), ("eve", "approver")] {
      try await ConsoleSetup.add(name, role, "", setup)
      browsers[name] = try await server.browser(name)
    }
    // A page gathers the cases.
    #expect(try browsers["gil"]?.get("/queue").cases.isEmpty == false)
    let writeOff = [("action", "write_off"), ("outcome", "confirmed"), ("reason", "secret")]
    let steps: [(account: String, user: String, act: String, form: [(String, String)], sent: [String])] = [
      ("gil", "U1", "follow", [], []),
      ("dora", "U1", "note", [("note", "secret, @gil")], ["gil mentioned note "]),
      ("gil", "U1", "note", [("note", "secret")], []),
      ("eve", "U1", "note", [("note", "secret")], ["gil following note "]),
      ("dora", "U2", "assign", [("assignee", "gil")], ["gil assigned assigned "]),
      ("dora", "U1", "take", [], []),
      ("dora", "U1", "decide", writeOff, ["gil following proposed write_off"]),
      ("eve", "U1", "approve", [("reason", "secret")], ["dora decided effective write_off", "gil following effective write_off"]),
    ]
    var sent = 0
    for (account, user, act, form, expected) in steps {
      let id = ConsoleSetup.caseID(user)
      #expect(try browsers[account]?.post("/cases/\(id)/\(act)", form).status == 303, "\(account) \(act)")
      _ = try await send()
      let new = try posts("/people").dropFirst(sent)
      sent += new.count
      let notices = new.map { post in ["account", "why", "act", "action"].map { post.body.data[$0]?.text ?? "?" }.joined(separator: " ") }
      #expect(notices == expected, "\(account) \(act)")
      for post in new {
        #expect(post.is_valid && post.body.type == "account.notified" && post.body.data["by"]?.text == account, "\(post.text)")
        #expect(post.body.data["case_id"]?.text == id && post.body.data["names"]?.text == "ORDER_NO_TX", "\(post.text)")
        #expect(!post.text.contains(user) && !post.text.contains("secret"), "\(post.text)")
      }
    }
    #expect(try posts().allSatisfy { $0.body.type != "account.notified" })
  }

  private func whatIsStuckIsNamed(_ port: Int) async throws {
    try webhooks(port, [("good", "/take", ""), ("bad", "/fail", ", events: [run.ended]")])
    // Two messages with three failures each exceed the limit of five tries.
    try await setup.query(
      "update payrecon.webhook_posts set try_count = 3, next_at = clock_timestamp() + interval '1 hour', last_answer = 'no' "
        + "where webhook = 'bad'")
    try await setup.program("doctor", "--as-of", Self.asOf, prints: "fault webhooks: bad: 2 events wait after 6 tries that failed")
    let last = "update payrecon.webhook_posts set try_count = 19, next_at = clock_timestamp() where webhook = 'bad'"
    try await setup.query(last)
    #expect(try await send() == "webhooks: gathered 0, taken 0, not taken 2\n")
    let doctor = try await setup.program("doctor", "--as-of", Self.asOf, prints: "fault webhooks: bad: 2 events were given up").text
    #expect(doctor.contains("last the webhook answered with status 500") && !doctor.contains("/fail"), "\(doctor)")
    try webhooks(port, [("good", "/take", ""), ("bad", "/take", ", events: [run.ended]")])
    #expect(try await setup.program("webhooks", "retry", "bad").text == "webhooks: 2 are due\n")
    #expect(try await send() == "webhooks: gathered 0, taken 2, not taken 0\n")
    try await setup.program("webhooks", "list", "--format", "csv", prints: "bad,taken,2,", "good,taken,")
    #expect(try await setup.program("doctor", "--as-of", Self.asOf).text.contains("ok    webhooks: 2 named, nothing is stuck"))
    // The case of an erased person has another id.
    #expect(try await setup.program("erase", "--user", "U1", "--reason", "asked", "--as-of", Self.asOf).status == 0)
    #expect(try await setup.count("webhook_events where subject_id = '\(ConsoleSetup.caseID("U1"))'") == 0)
  }
}
