internal import AppStore
internal import AppStoreServer
internal import Domain
internal import HTTP
internal import Ingest
internal import Intake
internal import JobCore
internal import Logging
internal import Postgres
internal import Wording

/// Queries verifyReceipt about stored receipts, from which apps on StoreKit 1 learn of renewals.
///
/// A receipt never expires and lists all later renewals. A subscription's newest receipt is therefore queried from shortly before its end
/// until long after it.
struct ReceiptCollector: Collector {
  let app: StoreAccess.ReceiptApp
  let sink: EvidenceSink
  let runID: String
  /// Subscriptions whose receipts are queried now, even if recently queried; empty queries all that are due.
  var chains: [String] = []

  /// Seconds before a subscription's end from which its receipt is queried.
  static let beforeEndSeconds: Int64 = 3 * 86_400
  /// Seconds after a subscription's end until which its receipt is queried: Apple retries billing for 60 days.
  ///
  /// - Source: App Store Connect Help, billing retry.
  static let afterEndSeconds: Int64 = 60 * 86_400
  /// Seconds after a subscription's end until which its renewal is polled: the last poll follows the end of the billing retry.
  static let pollsUntilSeconds: Int64 = 62 * 86_400
  /// Minimum seconds between two queries of a receipt.
  static let pauseSeconds: Int64 = 12 * 3600
  /// Maximum number of receipts read from the database at once.
  static let receiptsMax = 512
  /// Maximum bytes of receipts read from the database at once; a larger receipt is read alone.
  static let receiptBytesMax = 32 << 20
  /// Number of receipts queried before the answers are stored.
  static let answersMax = 32
  static let inFlightMax = 4
  /// Number of runs with an unreadable receipt after which it is given up.
  static let briefRunsMax = 3

  private var name: String { "receipts \(app.settings.bundleID)" }

  private struct Receipt: Sendable {
    var sha256: String
    /// Number of runs in which the receipt was unreadable; 0 after any other result.
    var unreadableRuns: Int
    var body: [UInt8]
  }

  private struct Answer: Sendable {
    var receipt: Receipt
    var result: Result<VerifyReceiptReply, VerifyReceiptFault>

    var fault: VerifyReceiptFault? {
      if case .failure(let fault) = result { fault } else { nil }
    }
  }

  /// The result of a receipt, stored as the cursor of a collection.
  private enum Progress: Sendable {
    case answered
    /// Number of runs in which the receipt was unreadable.
    case unreadable(runs: Int)
    /// Apple's status code after which the receipt is never queried again.
    case final(code: Int)

    var text: String {
      switch self {
      case .answered: "answered"
      case .unreadable(let runs): "unreadable \(runs)"
      case .final(let code): "final \(code)"
      }
    }
  }

  func run() async throws -> CollectJob.Outcome {
    var outcome = CollectJob.Outcome()
    var batch = EvidenceBatch(sink: sink, name: name, runID: runID)
    var last = ""
    var waiting: ArraySlice<Receipt> = []
    var failures = FailureStreak()
    while !failures.isOver {
      if waiting.isEmpty { waiting = try await wanted(after: last)[...] }
      let receipts = waiting.prefix(Self.answersMax)
      guard let end = receipts.last else { break }
      last = end.sha256
      waiting = waiting.dropFirst(receipts.count)
      let (answers, _) = await failures.ask(receipts, inFlightMax: Self.inFlightMax) { [client = app.client] receipt in
        await Self.ask(receipt, client)
      } adding: {
        $0.add(isFailure: $1.fault?.isUnanswered == true, endsRun: $1.fault?.retry == .configurationAlarm)
      }
      for fault in answers.compactMap(\.fault) { try throwIfAlarming(fault) }
      outcome.add(try await store(answers.sorted { $0.receipt.sha256 < $1.receipt.sha256 }, in: &batch))
      sink.context.progress.report(stage: name, done: outcome.tally.input, total: nil)
    }
    try await batch.close()
    return outcome
  }

  private func throwIfAlarming(_ fault: VerifyReceiptFault) throws {
    guard fault.retry == .configurationAlarm else { return }
    throw JobError(
      "could not ask Apple about receipts of \"\(app.settings.bundleID)\": \(fault)",
      hint: "Correct the setting, then run payrecon collect receipts again.")
  }

  private func wanted(after sha256: String) async throws -> [Receipt] {
    func instant(_ seconds: Int64) -> Value { sink.context.asOf.advanced(bySeconds: seconds).sqlValue }
    let afterEndSeconds = chains.isEmpty ? Self.afterEndSeconds : Self.pollsUntilSeconds
    let parameters: [String: Value] = [
      "bundle_id": .text(app.settings.bundleID), "after_sha256": .text(sha256),
      "ends_from": instant(-afterEndSeconds), "ends_to": instant(Self.beforeEndSeconds),
      "since": instant(-Self.afterEndSeconds), "chains": .textArray(chains),
      "asked_before": instant(chains.isEmpty ? -Self.pauseSeconds : 0),
      "row_max": .int8(Int64(Self.receiptsMax)), "byte_max": .int8(Int64(Self.receiptBytesMax)),
    ]
    return try await sink.session.rows(sink.context.sql(CollectSQL.wantedReceipts), parameters).map { sha256, progress, body in
      let runs = progress.wholeMatch(of: /unreadable (\d+)/).flatMap { Int($0.output.1) }
      return Receipt(sha256: sha256, unreadableRuns: runs ?? 0, body: body)
    }
  }

  private static func ask(_ receipt: Receipt, _ client: VerifyReceiptClient) async -> Answer {
    do throws(VerifyReceiptFault) {
      return Answer(receipt: receipt, result: .success(try await client.verify(ReceiptBody.decoded(receipt.body))))
    } catch {
      return Answer(receipt: receipt, result: .failure(error))
    }
  }

  private func store(_ answers: [Answer], in batch: inout EvidenceBatch) async throws -> CollectJob.Outcome {
    var outcome = CollectJob.Outcome()
    var items: [[UInt8]] = []
    var reached: [CollectionProgress] = []
    var abandoned: [ParkedItem] = []
    for answer in answers {
      let progress: Progress
      switch answer.result {
      case .success(let reply):
        if reply.isMisrouted {
          sink.context.log.warning("receipt of the other App Store", metadata: ["receipt.sha256": "\(answer.receipt.sha256)"])
        }
        items.append(reply.body)
        progress = .answered
      case .failure(let fault):
        guard let next = nextProgress(after: fault, of: answer.receipt, in: &outcome) else { continue }
        if case .final = next { abandoned.append(parked(answer.receipt, because: fault)) }
        progress = next
      }
      reached.append(collection(answer.receipt, progress))
    }
    let sql = sink.context.sql
    outcome.tally = try await batch.store(items) { [reached, abandoned] tx, stored in
      for progress in reached { try progress.save(&tx, sql: sql) }
      try tx.park(abandoned, header: nil, batchID: stored.batchID, sql: sql)
    }
    return outcome
  }

  /// Returns the progress to store for a receipt without an answer; nil when the next run queries it unconditionally.
  ///
  /// No status changes an order: it stays without a charge.
  private func nextProgress(after fault: VerifyReceiptFault, of receipt: Receipt, in outcome: inout CollectJob.Outcome) -> Progress? {
    if fault.isUnanswered {
      outcome.unfinished.append("\(name) \(receipt.sha256.prefix(12)): \(fault)")
      outcome.failedCount += 1
      return nil
    }
    outcome.missedCount += 1
    let runs = receipt.unreadableRuns + 1
    if fault.retry == .briefly, runs < Self.briefRunsMax { return .unreadable(runs: runs) }
    // Without Apple's statement about the receipt, as in an answer that is too large, no result is final.
    if fault.retry == .review, fault.statusCode == nil { return .unreadable(runs: runs) }
    sink.context.log.warning("receipt given up", metadata: ["receipt.sha256": "\(receipt.sha256)", "reason": "\(fault)"])
    return .final(code: fault.statusCode ?? 0)
  }

  /// Returns a parked item for a reviewer: the receipt's hash and the time it was given up, never its bytes.
  private func parked(_ receipt: Receipt, because fault: VerifyReceiptFault) -> ParkedItem {
    let raw = Array("\(receipt.sha256) \(sink.context.asOf.rfc3339)".utf8)
    return ParkedItem(
      kind: ParkedItem.receiptKind, file: "verifyReceipt \(app.settings.bundleID)", line: 0,
      field: fault.statusCode == nil ? "answer" : "status", reason: .plain("\(fault)"), raw: raw, byteCount: raw.count)
  }

  private func collection(_ receipt: Receipt, _ progress: Progress) -> CollectionProgress {
    CollectionProgress(
      job: .receipts, bundleID: app.settings.bundleID, environment: "", subject: receipt.sha256, cursor: progress.text,
      collectedTo: sink.context.asOf)
  }
}

extension StoreAccess {
  /// An app on StoreKit 1 with its client.
  struct ReceiptApp: Sendable {
    var settings: AppSettings
    var client: VerifyReceiptClient
  }

  /// Maximum size of a shared secret's file in bytes.
  private static let secretBytesMax = 4 << 10

  /// Returns an app with its client; nil if it has no shared secret.
  ///
  /// - Throws: `JobError` naming the app and the file, never the secret.
  static func receiptApp(
    _ app: AppSettings, http: HTTPClient, addresses: APIAddresses, firstPause: Duration, clock: ServerClock
  ) throws -> ReceiptApp? {
    var limits = VerifyReceiptClient.limitsDefault
    limits.firstPause = firstPause
    guard let file = app.api?.sharedSecretFile else { return nil }
    guard let bytes = try? LocalFile.contents(file, bytesMax: secretBytesMax) else {
      throw JobError(
        "could not read shared secret file \"\(file)\" of app \"\(app.bundleID)\"",
        hint: "Check that it is there and that this account may read it.")
    }
    guard let secret = SharedSecret(bytes) else {
      throw JobError(
        "could not use shared secret file \"\(file)\" of app \"\(app.bundleID)\": it holds no single word of at most "
          + "\(SharedSecret.lengthMax) characters",
        hint: "Copy the app-specific shared secret from App Store Connect into it.")
    }
    return ReceiptApp(
      settings: app,
      client: VerifyReceiptClient(http: http, addresses: addresses, sharedSecret: secret, limits: limits, clock: clock))
  }
}
