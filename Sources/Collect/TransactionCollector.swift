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

  private typealias Answer = (id: String, found: TransactionSearch)

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
        Answer(id: id, found: await TransactionSearch(id, client))
      } adding: {
        $0.add($1.found.isUnknownToSandboxAlone ? nil : $1.found.fault)
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

  private func store(_ answers: [Answer], in batch: inout EvidenceBatch) async throws -> CollectJob.Outcome {
    var outcome = CollectJob.Outcome()
    var items: [[UInt8]] = []
    var missed: [String] = []
    for (id, found) in answers {
      switch found {
      case .signed(let item): items.append(item)
      case .unknown: missed.append(id)
      case .failed(let fault):
        if found.isUnknownToSandboxAlone { outcome.leave("\(fault)", of: name) } else { try outcome.leave(fault, of: name) }
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

/// The answer of both App Stores about a transaction id.
enum TransactionSearch: Sendable {
  case signed([UInt8])
  /// Neither App Store knows the id, or each refuses it as invalid.
  case unknown
  case failed(APIFault)

  init(_ id: String, _ client: AppStoreServerClient) async {
    do {
      self = try await client.findTransaction(id).map { .signed(Array($0.signedTransaction.text.utf8)) } ?? .unknown
    } catch {
      self = .failed(error)
    }
  }

  var fault: APIFault? {
    if case .failed(let fault) = self { fault } else { nil }
  }

  /// Whether the sandbox does not know the id, and production refuses the key. Further ids may be of the sandbox.
  var isUnknownToSandboxAlone: Bool { fault?.isKeyRefusedByProduction == true }
}

extension DatabaseTransaction {
  /// Records that no App Store knows a transaction id.
  mutating func recordMiss(of id: String, bundleID: String, in context: JobContext) throws {
    try send(
      context.sql(CollectSQL.recordMiss),
      ["bundle_id": .text(bundleID), "transaction_id": .text(id), "requested_at": context.asOfValue])
  }
}
