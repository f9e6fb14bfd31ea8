internal import Domain
internal import FoundationEssentials
internal import HTTP
public import JobCore
internal import Logging
internal import Postgres

/// Bounds on what is told and how often.
public enum WebhookLimits {
  /// Tries after which an event is given up, three days after the first.
  public static let triesMax: Int64 = 20
  /// Wait after the first try that failed, in seconds; it doubles from there.
  static let pauseSeconds: Int64 = 60
  /// Longest wait between two tries, in seconds.
  static let pauseSecondsMax: Int64 = 21_600
  /// Tries that fail one after the other until a webhook waits for the next start.
  static let failuresMax = 3
  /// Time that one start spends on telling.
  static let startTime = Duration.seconds(120)
  /// Time that a night spends on it.
  static let nightTime = Duration.seconds(30)
  /// Events of one webhook that are read at once.
  static let pageMax: Int64 = 100
  /// Entries of the audit chain that are gathered in one transaction.
  static let entriesMax: Int64 = 20_000
  /// How long is kept what was told or given up.
  static let keptDays: Int64 = 30
}

/// Tells programs what happened, by signed posts: each event at least once.
///
/// Events are gathered into the database first. A start that is killed between a post and its record posts it once more.
public struct WebhookJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  private var webhooks: [WebhookSettings] { context.settings.webhooks }

  /// What one start came to.
  public struct Outcome: Sendable {
    public var gatheredCount = 0
    public var takenCount = 0
    public var failedCount = 0
  }

  /// Gathers what happened since it was looked last, and tells what is due.
  ///
  /// - Throws: `JobError` with status 4 while another process does so.
  public func send() async throws -> Outcome { try await send(within: WebhookLimits.startTime) }

  /// As `send`, after a night; what cannot be told waits for the next start and changes no verdict.
  func sendAfterNight() async {
    guard !webhooks.isEmpty else { return }
    do {
      _ = try await send(within: WebhookLimits.nightTime)
    } catch let error as JobError where error.status == .lockHeld {
      return
    } catch {
      context.log.warning("webhooks could not be told", metadata: ["error": "\(error)"])
    }
  }

  private func send(within time: Duration) async throws -> Outcome {
    guard !webhooks.isEmpty else { return Outcome() }
    let end = ContinuousClock.now + time
    return try await context.withSession { session in
      try await JobLock.webhooks.take(on: session, in: context)
      var outcome = Outcome()
      outcome.gatheredCount = try await gather(on: session)
      for webhook in webhooks { try await tell(webhook, until: end, &outcome, on: session) }
      try await clean(on: session)
      return outcome
    }
  }

  // MARK: Gathering

  /// - Returns: new events.
  private func gather(on session: Session) async throws -> Int {
    let (context, webhooks) = (context, webhooks)
    var count = 0
    while true {
      let (found, isDone) = try await session.retrying { tx in try Self.gather(webhooks, context, &tx) }
      count += found
      if isDone { return count }
    }
  }

  /// Reads some of the audit chain, and says in the same transaction how far.
  private static func gather(
    _ webhooks: [WebhookSettings], _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> (count: Int, isDone: Bool) {
    guard let (read, last, event) = try tx.rows(context.sql(WebhooksSQL.reading)).first else { return (0, true) }
    guard let after = read else {
      _ = try tx.run(context.sql(WebhooksSQL.begin), ["through": .int8(last)])
      return (0, true)
    }
    let through = min(last, after + WebhookLimits.entriesMax)
    let span: [String: Value] = ["after": .int8(after), "through": .int8(through)]
    var count = try tx.run(context.sql(WebhooksSQL.gatherActs), span)
    let hasDetected = try tx.rows(context.sql(WebhooksSQL.hasDetected), span)
    if hasDetected.first == true {
      count += try tx.run(context.sql(WebhooksSQL.gatherCases), ["through": .int8(through)])
    }
    let pairs = webhooks.flatMap { webhook in webhook.events.map { (webhook.name, $0.rawValue) } }
    _ = try tx.run(
      context.sql(WebhooksSQL.address),
      ["after": .int8(event), "webhooks": .textArray(pairs.map(\.0)), "kinds": .textArray(pairs.map(\.1))])
    _ = try tx.run(context.sql(WebhooksSQL.read), ["through": .int8(through)])
    return (count, through == last)
  }

  // MARK: Telling

  private struct Post: Sendable {
    var eventID: String
    var kind: String
    var subjectID: String
    var data: String
    var at: String

    /// `{"type": …, "timestamp": …, "data": {…}}`; the same whenever it is told, but for a person who was forgotten.
    var body: [UInt8] {
      let subject = kind == WebhookSettings.Event.runEnded.rawValue ? "run_id" : "case_id"
      // The data are an object with members: the subject comes first.
      let data = "{\"\(subject)\" : \(ReportText.quoted(subjectID)), \(data.dropFirst())"
      return Array("{\"type\": \"\(kind)\", \"timestamp\": \"\(at)\", \"data\": \(data)}".utf8)
    }
  }

  private func tell(
    _ webhook: WebhookSettings, until end: ContinuousClock.Instant, _ outcome: inout Outcome, on session: Session
  ) async throws {
    let signature = try WebhookSignature(of: webhook)
    let client = WebhookClient()
    var failures = 0
    while true {
      let due = try await due(webhook, on: session)
      for post in due {
        // One start never goes on for ever, however slow the receiver is.
        guard ContinuousClock.now < end, failures < WebhookLimits.failuresMax else { return }
        let answer = await tell(post, to: webhook, signature, client)
        try await record(post, of: webhook, answer, on: session)
        failures = answer == nil ? 0 : failures + 1
        if answer == nil { outcome.takenCount += 1 } else { outcome.failedCount += 1 }
      }
      guard due.count == Int(WebhookLimits.pageMax) else { return }
    }
  }

  /// - Returns: why it was not taken, without the address; nil where it was.
  private func tell(
    _ post: Post, to webhook: WebhookSettings, _ signature: WebhookSignature, _ client: WebhookClient
  ) async -> String? {
    let body = post.body
    let fields = signature.fields(id: post.eventID, seconds: Int64(Date.now.timeIntervalSince1970), body: body)
    do {
      try await client.post(
        body, to: webhook.address, setting: "the webhook \"\(webhook.name)\"", fields: fields,
        deadline: .seconds(webhook.timeoutSeconds))
      return nil
    } catch {
      context.log.warning(
        "an event was not taken", metadata: ["webhook": "\(webhook.name)", "event": "\(post.eventID)", "error": "\(error)"])
      return "\(error)"
    }
  }

  private func due(_ webhook: WebhookSettings, on session: Session) async throws -> [Post] {
    let file = try context.sql(WebhooksSQL.due)
    let wanted: [String: Value] = ["webhook": .text(webhook.name), "rows": .int8(WebhookLimits.pageMax)]
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(file, wanted).map { Post(eventID: $0, kind: $1, subjectID: $2, data: $3, at: $4) }
    }
  }

  private func record(_ post: Post, of webhook: WebhookSettings, _ answer: String?, on session: Session) async throws {
    let file = try context.sql(WebhooksSQL.tried)
    let row: [String: Value] = [
      "webhook": .text(webhook.name), "event_id": .text(post.eventID), "answer": .text(answer ?? "taken"),
      "is_taken": .bool(answer == nil), "tries_max": .int8(WebhookLimits.triesMax), "pause": .int8(WebhookLimits.pauseSeconds),
      "pause_max": .int8(WebhookLimits.pauseSecondsMax),
    ]
    try await session.retrying { tx in _ = try tx.run(file, row) }
  }

  private func clean(on session: Session) async throws {
    let context = context
    let days: [String: Value] = ["days": .int8(WebhookLimits.keptDays)]
    try await session.retrying { tx in
      for statement in [WebhooksSQL.cleanPosts, WebhooksSQL.cleanEvents] { _ = try tx.run(context.sql(statement), days) }
    }
  }

  // MARK: Looking

  /// How it stands with telling each webhook, in a form that is asked for.
  public func list(as format: ExportFormat, filter: RowFilter) async throws -> [UInt8] {
    let context = context
    let table = try await context.transaction(.readOnlySnapshot) { tx in
      try ReportTable.read(WebhooksSQL.list, files: context.sql, tx: &tx)
    }
    return try filter.bytes(of: table, as: format)
  }

  /// Makes due what was given up or waits.
  ///
  /// - Parameter name: of one webhook; nil for all.
  /// - Returns: events that are told again.
  public func retry(_ name: String?) async throws -> Int {
    let file = try context.sql(WebhooksSQL.retry)
    let count = try await context.transaction { tx in try tx.run(file, ["webhook": .text(name ?? "")]) }
    let named = context.settings.webhooks.map(\.name)
    guard let name, count == 0, !named.contains(name) else { return count }
    throw JobError(
      "could not find webhook \"\(name)\"",
      hint: named.isEmpty ? "The settings name none." : "The settings name \(named.joined(separator: ", ")).", status: .usage)
  }
}
