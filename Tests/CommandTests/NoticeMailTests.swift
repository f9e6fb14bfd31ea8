import Glibc

/// Notifications to accounts by mail, through a real mail server that refuses mails and kills the sender.
@Suite(.cleansUp) struct NoticeMailTests {
  private static let asOf = "2026-05-12T13:00:00Z"
  private static let address = "gil@example.com"
  private static let alerts = """
    alerts:
      email: {server: "smtp://127.0.0.1:{smtp}", from: payrecon@example.com, to: [a@example.com]}
      notices: {per_mail: 2}
    reports: {console: "https://desk.example.com"}

    """

  private let setup: Setup
  private let ids = (1...3).map { ConsoleSetup.caseID("U\($0)") }

  init() async throws {
    setup = try await Setup()
    let orders = (1...3).map { "PO-\($0),com.acme.kids,stars,U\($0),delivered,2026-05-0\($0)T00:00:00Z,1000,USD," }
    try await setup.ingest("orders", Setup.table(orders), asOf: Self.asOf)
    try await setup.decide(asOf: Self.asOf, mayMissInput: true)
    for name in ["gil", "rob"] { try await ConsoleSetup.add(name, "analyst", "", setup) }
    try await run(["account", "address", "gil", Self.address])
  }

  private func run(_ command: [String]) async throws { try await setup.patiently(command, asOf: Self.asOf, exits: 0) }

  private func send(_ mail: String = "take") async throws -> AlertTests.SentAlert {
    let sent = try await AlertTests.run(setup, ["webhooks", "send", "--as-of", Self.asOf], alerts: Self.alerts, mail: mail)
    #expect(!sent.complaint.contains(Self.address), "\(sent.complaint)")
    return sent
  }

  private func makeDue() async throws {
    try await setup.query("update payrecon.webhook_posts set next_at = statement_timestamp() where ended_at is null")
  }

  private static func messageID(_ mail: AlertTests.SentAlert.Mail?) -> Substring? {
    mail?.text.split(separator: "\r\n").first { $0.hasPrefix("Message-ID:") }
  }

  @Test(.enabled("aiosmtpd cannot be installed here") { try await AlertTests.python.install() })
  func eachNotificationIsSentOnce() async throws {
    let server = try await ConsoleSetup.serve(setup, "--console --as-of \(Self.asOf)")
    let (gil, rob) = (try await server.browser("gil"), try await server.browser("rob"))
    func act(_ who: Browser, _ id: String, _ act: String, _ form: [(String, String)] = []) throws {
      #expect(try who.post("/cases/\(id)/\(act)", form).status == 303, "\(act)")
    }
    // Acts before the first start are not sent.
    try act(rob, ids[0], "note", [("note", "early, @gil")])
    #expect(try await send().mails.isEmpty)
    try act(gil, ids[2], "follow")
    try act(rob, ids[0], "note", [("note", "for @gil")])
    try act(rob, ids[1], "assign", [("assignee", "gil")])
    try act(rob, ids[2], "note", [("note", "done")])
    // gil's own note is not sent to gil, and rob has no address.
    try act(gil, ids[2], "note", [("note", "for @rob")])

    // A refusal is recorded without the address, and tried again later.
    let refused = try await send("refuse")
    #expect(refused.text == "webhooks: gathered 4, taken 0, not taken 2\n", "\(refused)")
    let state = "select string_agg(try_count || ' ' || (next_at > clock_timestamp()), ', ' order by number) from payrecon.webhook_posts"
    #expect(try await setup.query(state) == "1 true, 1 true, 0 false")
    let answer = try await setup.query("select distinct last_answer from payrecon.webhook_posts where try_count = 1")
    #expect(answer.contains("did not take the letter") && !answer.contains("@"), "\(answer)")

    // The sender is killed after the server took the mail. The next one sends the same digest with the same id.
    try await makeDue()
    let killed = try await send("kill")
    try await makeDue()
    let repeated = try await send()
    #expect(killed.status != 0 && killed.mails.count == 1 && repeated.mails.count == 1, "\(killed) \(repeated)")
    #expect(Self.messageID(repeated.mails.first) == Self.messageID(killed.mails.first))
    let mail = try #require(repeated.mails.first)
    #expect(mail.to == [Self.address])
    expectParts(
      "Subject: payrecon: 2 notifications", "note by rob", "A note mentions you.", "assigned by rob", "This case is assigned to you.",
      "https://desk.example.com/cases/\(ids[0])", "1 more notification comes with the next mail.", in: mail.text)
    #expect(!mail.text.contains("U1") && !mail.text.contains("for @"), "\(mail.text)")

    let last = try await send()
    #expect(last.mails.count == 1 && last.mails[0].text.contains("You follow this case."), "\(last)")
    #expect(try await send().mails.isEmpty)
    #expect(try await setup.program("webhooks", "list", "--format", "csv").text.contains("alerts.email,taken,3,"))
  }

  /// A mail that is refused again and again is given up with its reason. An account without an address ends its mail.
  @Test(.enabled("aiosmtpd cannot be installed here") { try await AlertTests.python.install() })
  func lastTryIsRecorded() async throws {
    _ = try await send()
    try await run(["queue", "assign", ids[0], "gil"])
    _ = try await send("refuse")
    try await setup.query("update payrecon.webhook_posts set try_count = 19, next_at = clock_timestamp()")
    try await run(["account", "address", "gil"])
    let sent = try await send()
    #expect(sent.mails.isEmpty && sent.complaint.contains("no mail address"), "\(sent)")
    #expect(try await setup.query("select outcome || ': ' || last_answer from payrecon.webhook_posts").contains("given_up: "))
    try await setup.program("doctor", "--as-of", Self.asOf, prints: "alerts.email: 1 events were given up")
  }

  @Test func invalidAddressesAreRefused() async throws {
    for address in ["gil", "a@b@c", "a@example.com>", "@example.com"] {
      try await setup.program("account", "address", "gil", address, exits: 64, complains: "must be an address")
    }
    #expect(try await setup.program("account", "address", "ghost", Self.address).complaint.contains("no such active one"))
  }
}
