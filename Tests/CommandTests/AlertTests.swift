import FoundationEssentials

/// Delivery of a night's verdict through a real mail server and a real webhook.
@Suite(.cleansUp) struct AlertTests {
  static let python = PythonEnvironment(name: "alerts", packages: ["aiosmtpd==1.4.6"], module: "aiosmtpd")

  struct SentAlert: Decodable {
    struct Mail: Decodable {
      var from: String
      var to: [String]
      var text: String
    }
    struct Post: Decodable {
      var type: String
      var body: [String: String]
    }
    var status: Int32
    var text: String
    var complaint: String
    var mails: [Mail]
    var posts: [Post]
  }

  private static let alerts = """
    alerts:
      link: https://reports.example.com/
      email: {server: "smtp://127.0.0.1:{smtp}", from: payrecon@example.com, to: [a@example.com, b@example.com]}
      webhook: {url: "http://127.0.0.1:{http}/secret-path"}

    """

  private let setup: Setup

  init() async throws { setup = try await Setup() }

  /// Writes an inbox with one order and its charge, whose prices differ or agree.
  private func inbox(price: Int, updated: String) throws {
    try setup.write("inbox/users.csv", "user_id\nU1\n")
    let order = Setup.order("PO-1", price: "\(price)", names: "470001000000001") + ",\(updated)"
    try setup.write("inbox/orders-\(updated.prefix(10)).csv", Setup.table(Setup.orderHeader + ",updated_at", [order]))
    try setup.write("inbox/apple.ndjson", Setup.bought)
  }

  private func night(_ asOf: String, alerts: String = Self.alerts, webhookStatus: Int = 200, words: [String] = []) async throws -> SentAlert
  {
    let command = ["nightly", "--as-of", asOf, "--inbox", "inbox", "--out", "reports/\(asOf.prefix(10))"]
    return try await Self.run(setup, command + words, alerts: alerts, webhookStatus: webhookStatus)
  }

  /// Runs a command beside a mail server and a webhook.
  ///
  /// - Parameter mail: what the mail server does with a mail: `take`, `refuse`, or `kill` the command after it took the mail.
  static func run(
    _ setup: Setup, _ command: [String], alerts: String, webhookStatus: Int = 200, mail: String = "take"
  ) async throws -> SentAlert {
    try setup.write("payrecon.yaml", Setup.settings() + alerts)
    var program = setup.program
    program.environment.merge(python.program.environment) { own, _ in own }
    let sink = [
      "\(python.folder)/bin/python", "\(TestServer.repository)/Tests/CommandTests/alert_sink.py", "\(webhookStatus)", mail,
      "\(setup.directory)/payrecon.yaml", Program.path,
    ]
    let run = try await program.run(sink + command)
    try #require(run.status == 0, "\(run.complaint)")
    return try JSONDecoder().decode(SentAlert.self, from: Data(run.output))
  }

  @Test(.enabled("aiosmtpd cannot be installed here") { try await python.install() })
  func changedVerdictIsSentOnce() async throws {
    try inbox(price: 5000, updated: "2026-05-10T10:01:00Z")
    let first = try await night("2026-05-12T03:00:00Z")
    #expect(first.status == 1 && first.complaint.isEmpty, "\(first.text)\(first.complaint)")
    let mail = try #require(first.mails.first)
    #expect(first.mails.count == 1 && first.posts.count == 1)
    #expect(mail.from == "payrecon@example.com" && mail.to == ["a@example.com", "b@example.com"])
    expectParts(
      "Subject: payrecon: breaks as of 2026-05-12T03:00:00Z", "Content-Type: text/plain; charset=utf-8", "largest, undecided:",
      "AMOUNT_DIFF 1.00 CNY order PO-1", "report: https://reports.example.com/2026-05-12/report.html", in: mail.text)
    #expect(!mail.text.contains("U1"), "\(mail.text)")
    let post = try #require(first.posts.first)
    #expect(post.type == "application/json" && Array(post.body.keys) == ["text"])
    #expect(post.body["text"]?.hasPrefix("payrecon: breaks as of 2026-05-12T03:00:00Z\n") == true, "\(post.body)")

    // The same verdict sends no alert. A different one does, with the resolved parts.
    let second = try await night("2026-05-13T03:00:00Z")
    #expect(second.mails.isEmpty && second.posts.isEmpty)
    try inbox(price: 6000, updated: "2026-05-13T10:00:00Z")
    let third = try await night("2026-05-14T03:00:00Z")
    #expect(third.status == 0, "\(third.text)\(third.complaint)")
    #expect(third.mails.first?.text.contains("payrecon: clean as of") == true, "\(third.mails)")
    #expect(
      third.posts.first?.body["text"]?.contains(
        "since the night of 2026-05-13T03:00:00Z (breaks): 0 undecided breaks came, 1 went") == true, "\(third.posts)")
    let eachNight = Self.alerts.replacing("alerts:\n", with: "alerts:\n  when: always\n")
    let always = try await night("2026-05-15T03:00:00Z", alerts: eachNight)
    #expect(always.mails.count == 1 && always.posts.count == 1)
  }

  @Test(.enabled("aiosmtpd cannot be installed here") { try await python.install() })
  func `an urgent consumption request is sent although the verdict is that of the night before`() async throws {
    try inbox(price: 5000, updated: "2026-05-10T10:01:00Z")
    let purchase = ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z")
    try setup.write(
      "inbox/asked.ndjson", Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-1", purchase, signedAt: "2026-05-12T17:30:00Z") + "\n")
    #expect(try await night("2026-05-12T03:00:00Z").mails.count == 1)
    let second = try await night("2026-05-13T03:00:00Z")
    expectParts(
      "1 consumption requests with less than three hours left:",
      "transaction 470001000000001 of com.acme.reader, an answer is due by 2026-05-13T05:30:00Z", in: second.mails.first?.text ?? "")
    #expect(second.mails.count == 1 && second.posts.count == 1)
  }

  /// A failed channel changes no verdict and is named without its address. The next night delivers its alert.
  @Test(.enabled("aiosmtpd cannot be installed here") { try await python.install() })
  func failedAlertIsSentByTheNextNight() async throws {
    try inbox(price: 6000, updated: "2026-05-10T10:01:00Z")
    let refused = try await night("2026-05-12T03:00:00Z", webhookStatus: 500)
    #expect(refused.status == 0 && refused.mails.count == 1 && refused.posts.count == 1, "\(refused)")
    #expect(refused.complaint.contains("the webhook answered with status 500"), "\(refused.complaint)")
    #expect(!refused.complaint.contains("secret-path"))
    let next = try await night("2026-05-13T03:00:00Z")
    #expect(next.mails.isEmpty && next.posts.count == 1, "\(next)")
    // A night with `--future` sends no alert.
    let ahead = try await night("2099-01-01T00:00:00Z", words: ["--future"])
    #expect(ahead.mails.isEmpty && ahead.posts.isEmpty, "\(ahead)")
    // A night that cannot decide anything before that day does.
    let stuck = try await night("2026-05-14T03:00:00Z")
    #expect(stuck.status == 3 && stuck.mails.count == 1 && stuck.posts.count == 1, "\(stuck)")
  }
}
