internal import Cryptography
internal import Domain
internal import JobCore
internal import Logging
internal import Postgres
internal import Wording

/// Sends notifications to the mail addresses of their accounts: one digest per account and start.
///
/// An attempt is recorded before its mail is sent. A start that is killed in between is followed by the same digest with the same
/// Message-ID, by which mail servers recognise a repetition.
struct NoticeMail: Sendable {
  /// Receiver in `webhook_posts`. No webhook of the settings can have this name.
  static let receiver = "alerts.email"
  private static let deadline = Duration.seconds(30)
  /// Maximum number of classes and rules named per case. More could exceed the 998 bytes that a line may have.
  private static let namesMax = 3
  /// The recorded outcome of an attempt until the mail server answers.
  private static let interrupted = "the attempt was interrupted before the mail server answered"

  let context: JobContext
  let email: AlertSettings.Email
  let perMail: Int64

  /// Returns nil if the settings send no notifications by mail.
  init?(context: JobContext) {
    guard let email = context.settings.alerts.email, let perMail = context.settings.alerts.noticesPerMail else { return nil }
    (self.context, self.email, self.perMail) = (context, email, perMail)
  }

  /// Sends the due digests until an instant, or until several in a row have failed.
  func sendDue(until end: ContinuousClock.Instant, _ outcome: inout WebhookJob.Outcome, on session: Session) async throws {
    let parameters: [String: Value] = ["webhook": .text(Self.receiver), "rows": .int8(perMail)]
    let rows = try await context.records(WebhooksSQL.dueMail, parameters, on: session)
    var failures = 0
    for (account, notices) in try Dictionary(grouping: rows, by: { try $0.text("account") }).sorted(by: { $0.key < $1.key }) {
      guard ContinuousClock.now < end, failures < WebhookLimits.failuresMax else { return }
      let ids = try notices.map { try $0.text("event_id") }
      try await WebhookJob(context: context).record(ids, of: Self.receiver, .init(reason: Self.interrupted), on: session)
      let address = try notices[0].text("mail_address")
      let digestID = SHA256.hex(Array(ids.joined(separator: " ").utf8))
      let answer = try await send(mail(notices, to: address), to: address, id: digestID, of: account)
      let row: [String: Value] = [
        "webhook": .text(Self.receiver), "event_ids": .textArray(ids), "answer": .text(answer ?? "taken"), "is_taken": .bool(answer == nil),
      ]
      try await session.retrying { tx in _ = try tx.run(context.sql(WebhooksSQL.recordDigest), row) }
      failures = answer == nil ? 0 : failures + 1
      if answer == nil { outcome.takenCount += ids.count } else { outcome.failedCount += ids.count }
    }
  }

  /// - Returns: reason of the failure, without the address; nil on success.
  private func send(_ mail: PlainTextMail, to address: String, id: String, of account: String) async -> String? {
    do {
      guard !address.isEmpty else { throw JobError("the account has no mail address any more, or is disabled") }
      try await mail.send(by: email, id: id, deadline: Self.deadline)
      return nil
    } catch {
      let reason = address.isEmpty ? "\(error)" : "\(error)".replacing(address, with: "the address")
      context.log.warning("notifications could not be sent by mail", metadata: ["account": "\(account)", "error": "\(reason)"])
      return reason
    }
  }

  /// Returns the digest in the language of its account. It names cases, never customers.
  private func mail(_ notices: [ReportRecord], to address: String) throws -> PlainTextMail {
    let words = Catalogue.of(try Language(rawValue: notices[0].text("language")) ?? .english)
    let later = try Int(notices[0].int("waiting_count")) - notices.count
    let page = context.settings.reportConsole.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    var lines = try notices.flatMap { try Self.lines(of: $0, page, words) }
    if later > 0 { lines.append(words("notice.later", ["count": "\(later)"], counting: later)) }
    if let page { lines.append("\(page)following") }
    lines.append(words("notice.end"))
    let subject = words("notice.subject", ["count": "\(notices.count)"], counting: notices.count)
    return PlainTextMail(to: [address], subject: subject, lines: lines)
  }

  /// Returns the lines about one act: what was done and by whom, to which case, and why the account is notified.
  private static func lines(of notice: ReportRecord, _ page: String?, _ words: Catalogue) throws -> [String] {
    let act = try notice.text("act") == "undone" ? "undo_effective" : notice.text("act")
    let parts = try [notice.text("action")] + act.split(separator: "_").map(String.init)
    let done = Phrase.list(parts.filter { !$0.isEmpty }.map { .code($0) }, separator: " ")
    let what = try Phrase("timeline.done_by", ["act": done, "account": .plain(notice.text("by_account"))])
    let titles = try Headline.ordered(notice.text("names")).prefix(namesMax).map { "\(words(Headline.title(of: $0))) (\($0))" }
    return try [
      "\(words(what)), \(notice.text("at"))", titles.isEmpty ? "" : "  \(titles.joined(separator: ", "))",
      "  \(page.map { "\($0)cases/" } ?? "")\(notice.text("case_id"))", "  \(words.name("notice", notice.text("why")))",
    ].filter { !$0.isEmpty } + [""]
  }
}
