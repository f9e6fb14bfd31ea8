internal import Cryptography
internal import Domain
public import JobCore
internal import Logging
internal import Postgres

public enum WebhookLimits {
  /// Attempts after which an event is given up, about three days after the first.
  public static let triesMax: Int64 = 20
  /// Wait after the first failed attempt, in seconds. It doubles with each further one.
  static let pauseSeconds: Int64 = 60
  /// Longest wait between two attempts, in seconds.
  static let pauseSecondsMax: Int64 = 21_600
  /// Consecutive failures after which a webhook is skipped until the next start.
  static let failuresMax = 3
  static let startTime = Duration.seconds(120)
  static let nightTime = Duration.seconds(30)
  static let pageMax: Int64 = 100
  /// Entries of the audit chain gathered in one transaction.
  static let entriesMax: Int64 = 20_000
  /// Days for which delivered and given-up events are kept.
  static let keptDays: Int64 = 30
}

/// Delivers events to programs by signed posts, each event at least once, and notifications to people by mail.
///
/// Events are stored in the database first. A start that is killed between a post and its record repeats the post.
public struct WebhookJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  private var webhooks: [WebhookSettings] { context.settings.webhooks }

  /// Names of the receivers in the settings: webhooks, and mail to accounts.
  var receivers: [String] { webhooks.map(\.name) + (NoticeMail(context: context) == nil ? [] : [NoticeMail.receiver]) }
  public var hasReceivers: Bool { !receivers.isEmpty }

  public struct Outcome: Sendable {
    public var gatheredCount = 0
    public var takenCount = 0
    public var failedCount = 0
  }

  /// - Throws: `JobError` with status 4 while another process does the same.
  public func send() async throws -> Outcome { try await send(within: WebhookLimits.startTime) }

  /// Gathers what happened before a night's work, so that a case that was decided since the last night counts as returned if the night
  /// opens it again. The first night with receivers starts the gathering and sends its events.
  func gatherBeforeNight() async {
    await withoutFailing {
      try await context.withSession { session in
        try await JobLock.webhooks.take(on: session, in: context)
        try await startGathering(on: session)
        _ = try await gather(on: session)
      }
    }
  }

  /// Delivers events after a night. A failed event is retried at the next start.
  func sendAfterNight() async {
    await withoutFailing { _ = try await send(within: WebhookLimits.nightTime) }
  }

  /// Does a night's part of the work, which changes no verdict. While another process sends, that process does it.
  private func withoutFailing(_ act: () async throws -> Void) async {
    guard hasReceivers else { return }
    do {
      try await act()
    } catch let error as JobError where error.status == .lockHeld {
      return
    } catch {
      context.log.warning("webhook events could not be gathered or sent", metadata: ["error": "\(error)"])
    }
  }

  private func send(within time: Duration) async throws -> Outcome {
    guard hasReceivers else { return Outcome() }
    let end = ContinuousClock.now + time
    return try await context.withSession { session in
      try await JobLock.webhooks.take(on: session, in: context)
      try await startGathering(on: session)
      var outcome = Outcome()
      outcome.gatheredCount = try await gather(on: session)
      for webhook in webhooks { try await sendDue(to: webhook, until: end, &outcome, on: session) }
      try await NoticeMail(context: context)?.sendDue(until: end, &outcome, on: session)
      try await clean(on: session)
      return outcome
    }
  }

  // MARK: Gathering

  /// Starts gathering if it never did.
  private func startGathering(on session: Session) async throws {
    try await session.retrying { tx in
      guard let (read, last, _) = try tx.rows(context.sql(WebhooksSQL.readPosition)).first, read == nil else { return }
      try tx.send(context.sql(WebhooksSQL.begin), ["through": .int8(last)])
    }
  }

  private func gather(on session: Session) async throws -> Int {
    var count = 0
    while true {
      let (found, isDone) = try await session.retrying { tx in try gather(&tx) }
      count += found
      if isDone { return count }
    }
  }

  /// Gathers events from part of the audit chain and records the position in the same transaction.
  private func gather(_ tx: inout DatabaseTransaction) throws -> (count: Int, isDone: Bool) {
    guard let (read, last, event) = try tx.rows(context.sql(WebhooksSQL.readPosition)).first, let after = read else { return (0, true) }
    let through = min(last, after + WebhookLimits.entriesMax)
    let span: [String: Value] = ["after": .int8(after), "through": .int8(through)]
    var count = try tx.run(context.sql(WebhooksSQL.gatherActs), span)
    if try tx.rows(context.sql(WebhooksSQL.mayChangeCases), span).first == true {
      count += try tx.run(context.sql(WebhooksSQL.gatherCases), ["through": .int8(through)])
    }
    let hasMail = NoticeMail(context: context) != nil
    if hasMail || webhooks.contains(where: { $0.events.contains(.accountNotified) }) {
      count += try tx.run(context.sql(WebhooksSQL.gatherNotices), span)
    }
    if hasMail {
      _ = try tx.run(context.sql(WebhooksSQL.addressMail), ["webhook": .text(NoticeMail.receiver), "after": .int8(event)])
    }
    let pairs = webhooks.flatMap { webhook in webhook.events.map { (webhook.name, $0.rawValue) } }
    try tx.send(
      context.sql(WebhooksSQL.address),
      ["after": .int8(event), "webhooks": .textArray(pairs.map(\.0)), "kinds": .textArray(pairs.map(\.1))])
    try tx.send(context.sql(WebhooksSQL.recordPosition), ["through": .int8(through)])
    return (count, through == last)
  }

  // MARK: Delivery

  private struct Post: Sendable {
    var eventID: String
    var kind: String
    var subjectID: String
    var data: String
    var at: String

    /// The body `{"type": …, "timestamp": …, "data": {…}}`. Repeated attempts have the same body, unless a person was erased.
    var body: [UInt8] {
      let subject = kind == WebhookSettings.Event.runEnded.rawValue ? "run_id" : "case_id"
      // The data are a non-empty object. The subject is inserted as its first member.
      let data = "{\"\(subject)\" : \(ReportText.quoted(subjectID)), \(data.dropFirst())"
      return Array("{\"type\": \"\(kind)\", \"timestamp\": \"\(at)\", \"data\": \(data)}".utf8)
    }
  }

  private func sendDue(
    to webhook: WebhookSettings, until end: ContinuousClock.Instant, _ outcome: inout Outcome, on session: Session
  ) async throws {
    let signature = try WebhookSignature(of: webhook)
    let hash = Self.hash(of: webhook)
    let client = WebhookClient()
    var failures = 0
    while true {
      let due = try await due(webhook, on: session)
      if !due.isEmpty, try await isGone(webhook, hash, on: session) { return warnOfGone(webhook) }
      for post in due {
        // The time limit ends a start even if the receiver is slow.
        guard ContinuousClock.now < end, failures < WebhookLimits.failuresMax else { return }
        let failure = await send(post, to: webhook, signature, client)
        try await record([post.eventID], of: webhook.name, failure, settingsHash: hash, on: session)
        failures = failure == nil ? 0 : failures + 1
        if failure == nil { outcome.takenCount += 1 } else { outcome.failedCount += 1 }
        if failure?.refusal?.isGone == true { return warnOfGone(webhook) }
        if failure?.refusal?.retryAfterSeconds != nil { return }
      }
      guard due.count == Int(WebhookLimits.pageMax) else { return }
    }
  }

  /// A failed attempt to deliver events.
  struct Failure: Sendable {
    /// The reason, without the address.
    var reason: String
    /// The receiver's response; nil if there is none.
    var refusal: WebhookRefusal?
  }

  /// - Returns: nil on success.
  private func send(
    _ post: Post, to webhook: WebhookSettings, _ signature: WebhookSignature, _ client: WebhookClient
  ) async -> Failure? {
    let body = post.body
    let fields = signature.fields(id: post.eventID, seconds: WallClock.now().microseconds / 1_000_000, body: body)
    do {
      try await client.post(
        body, to: webhook.address, setting: "the webhook \"\(webhook.name)\"", fields: fields,
        deadline: .seconds(webhook.timeoutSeconds))
      return nil
    } catch {
      context.log.warning(
        "an event was not taken", metadata: ["webhook": "\(webhook.name)", "event": "\(post.eventID)", "error": "\(error)"])
      return Failure(reason: "\(error)", refusal: error as? WebhookRefusal)
    }
  }

  /// Returns the hash of a webhook's settings and address, which shows whether they changed; nil if the address cannot be read.
  private static func hash(of webhook: WebhookSettings) -> String? {
    guard let url = try? WebhookClient.url(webhook.address, of: webhook.name) else { return nil }
    let parts = [url, webhook.secretFile, "\(webhook.timeoutSeconds)"] + webhook.events.map(\.rawValue).sorted()
    return SHA256.hex(Array(parts.joined(separator: "\n").utf8))
  }

  /// Returns whether the receiver answered that it is gone, and the webhook's settings have not changed since.
  private func isGone(_ webhook: WebhookSettings, _ hash: String?, on session: Session) async throws -> Bool {
    guard let hash else { return false }
    let wanted: [String: Value] = ["webhook": .text(webhook.name), "settings_sha256": .text(hash)]
    return try await context.rows(WebhooksSQL.isGone, wanted, on: session).first ?? false
  }

  private func warnOfGone(_ webhook: WebhookSettings) {
    context.log.warning(
      "a webhook gets no events until its settings change: its receiver answered with status 410",
      metadata: ["webhook": "\(webhook.name)", "hint": "correct or remove it under webhooks; or payrecon webhooks retry \(webhook.name)"])
  }

  private func due(_ webhook: WebhookSettings, on session: Session) async throws -> [Post] {
    let wanted: [String: Value] = ["webhook": .text(webhook.name), "rows": .int8(WebhookLimits.pageMax)]
    return try await context.rows(WebhooksSQL.due, wanted, on: session).map {
      Post(eventID: $0, kind: $1, subjectID: $2, data: $3, at: $4)
    }
  }

  /// Records an attempt to deliver events. If the receiver states when it takes events again, all its events wait until then.
  ///
  /// - Parameters:
  ///   - failure: nil on success.
  ///   - settingsHash: hash of the receiver's settings, recorded if the receiver is gone.
  func record(
    _ eventIDs: [String], of receiver: String, _ failure: Failure?, settingsHash: String? = nil, on session: Session
  ) async throws {
    let (recordAttempt, deferEvents) = (try context.sql(WebhooksSQL.recordAttempt), try context.sql(WebhooksSQL.deferEvents))
    let retryAfter = failure?.refusal?.retryAfterSeconds
    let goneHash = failure?.refusal?.isGone == true ? settingsHash : nil
    let row: [String: Value] = [
      "webhook": .text(receiver), "event_ids": .textArray(eventIDs), "answer": .text(failure?.reason ?? "taken"),
      "is_taken": .bool(failure == nil), "tries_max": .int8(WebhookLimits.triesMax), "pause": .int8(WebhookLimits.pauseSeconds),
      "pause_max": .int8(WebhookLimits.pauseSecondsMax), "retry_after": retryAfter.map { .int8($0) } ?? .null,
      "gone_sha256": goneHash.map { .text($0) } ?? .null,
    ]
    try await session.retrying { tx in
      try tx.send(recordAttempt, row)
      if let retryAfter { try tx.send(deferEvents, ["webhook": .text(receiver), "retry_after": .int8(retryAfter)]) }
    }
  }

  private func clean(on session: Session) async throws {
    let days: [String: Value] = ["days": .int8(WebhookLimits.keptDays)]
    try await session.retrying { tx in
      for statement in [WebhooksSQL.cleanPosts, WebhooksSQL.cleanEvents] { try tx.send(context.sql(statement), days) }
    }
  }

  // MARK: State

  /// Returns the number of events of each webhook by state, as of the webhook's current settings.
  static func states(in context: JobContext, _ tx: inout DatabaseTransaction) throws -> ReportTable {
    let webhooks = context.settings.webhooks
    let named: [String: Value] = [
      "webhooks": .textArray(webhooks.map(\.name)), "settings_sha256s": .textArray(webhooks.map { hash(of: $0) ?? "" }),
    ]
    return try ReportTable.read(WebhooksSQL.list, named, files: context.sql, tx: &tx)
  }

  package func states() async throws -> ReportTable {
    try await context.transaction(.readOnlySnapshot) { tx in try Self.states(in: context, &tx) }
  }

  /// Makes given-up and waiting events due.
  ///
  /// - Parameter name: name of one webhook; nil for all.
  public func retry(_ name: String?) async throws -> Int {
    let file = try context.sql(WebhooksSQL.retry)
    let count = try await context.transaction { tx in try tx.run(file, ["webhook": .text(name ?? "")]) }
    let named = receivers
    guard let name, count == 0, !named.contains(name) else { return count }
    throw JobError(
      "could not find webhook \"\(name)\"",
      hint: named.isEmpty ? "The settings name none." : "The settings name \(named.joined(separator: ", ")).", status: .usage)
  }
}
