internal import AppStoreServer
internal import Domain
internal import JobCore
internal import Postgres

/// Requests the transactions that orders name but no evidence contains.
struct TransactionCollector: Collector {
  let app: StoreAccess.App
  let sink: EvidenceSink
  let runID: String

  /// Number of ids requested before the answers are stored.
  static let idsMax = 200
  static let inFlightMax = 8

  private var name: String { "transactions \(app.settings.bundleID)" }

  func run() async throws -> CollectJob.Outcome {
    var outcome = CollectJob.Outcome()
    var batch = EvidenceBatch(sink: sink, name: name, runID: runID)
    var last = ""
    var failures = FailureStreak()
    while !failures.isOver {
      let ids = try await wanted(after: last)
      guard let end = ids.last else { break }
      last = end
      let (answers, _) = await failures.ask(ids, inFlightMax: Self.inFlightMax) { [client = app.client] id in
        await Self.ask(id, client)
      } adding: {
        $0.add($1.fault)
      }
      outcome.add(try await store(answers, in: &batch))
      sink.context.progress.report(stage: name, done: outcome.tally.input, total: nil)
    }
    try await batch.close()
    return outcome
  }

  private func wanted(after id: String) async throws -> [String] {
    let parameters: [String: Value] = [
      "bundle_id": .text(app.settings.bundleID), "after_id": .text(id), "row_max": .int8(Int64(Self.idsMax)),
      "since": sink.context.asOf.advanced(bySeconds: -CollectJob.lookBackSeconds).sqlValue,
    ]
    return try await sink.session.transaction(.readOnlySnapshot) { tx in
      try tx.readDistributedAsWhole(files: sink.context.sql)
      return try tx.rows(sink.context.sql(CollectSQL.wantedTransactions), parameters)
    }
  }

  private enum Answer: Sendable {
    case found([UInt8])
    case missed(String)
    case failed(APIFault)

    var fault: APIFault? {
      if case .failed(let fault) = self { fault } else { nil }
    }
  }

  private static func ask(_ id: String, _ client: AppStoreServerClient) async -> Answer {
    do {
      guard let found = try await client.findTransaction(id) else { return .missed(id) }
      return .found(Array(found.signedTransaction.text.utf8))
    } catch {
      return .failed(error)
    }
  }

  private func store(_ answers: [Answer], in batch: inout EvidenceBatch) async throws -> CollectJob.Outcome {
    var outcome = CollectJob.Outcome()
    var items: [[UInt8]] = []
    var missed: [String] = []
    for answer in answers {
      switch answer {
      case .found(let item): items.append(item)
      case .missed(let id): missed.append(id)
      case .failed(let fault):
        try outcome.leave(fault, of: name)
        outcome.failedCount += 1
      }
    }
    outcome.missedCount = missed.count
    outcome.tally = try await batch.store(items) { [missed] tx, _ in
      for id in missed { try tx.recordMiss(of: id, bundleID: app.settings.bundleID, in: sink.context) }
    }
    return outcome
  }
}

extension DatabaseTransaction {
  /// Records that no App Store knows a transaction id.
  mutating func recordMiss(of id: String, bundleID: String, in context: JobContext) throws {
    try send(
      context.sql(CollectSQL.recordMiss),
      ["bundle_id": .text(bundleID), "transaction_id": .text(id), "requested_at": context.asOfValue])
  }
}
