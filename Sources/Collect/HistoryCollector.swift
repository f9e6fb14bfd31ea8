internal import AppStoreServer
internal import Domain
internal import Ingest
internal import JobCore
internal import Postgres

/// Reads customers' histories or refunds, each from the revision of the last collection.
struct HistoryCollector: Collector {
  /// `transactions` for histories, or `refunds`.
  let kind: CollectKind
  let app: StoreAccess.App
  let environment: APIEnvironment
  let sink: EvidenceSink
  let runID: String

  /// Number of purchases read from the database at once.
  static let purchasesMax = 500
  /// Maximum number of queried customers that a run remembers; further ones may be queried again under another id.
  static let askedMax = 1_000_000
  /// Maximum number of pages of one customer.
  private static let pagesMax = 100_000

  private var environmentName: String { environment.appStoreEnvironment.rawValue }
  private var name: String { "\(kind.rawValue) \(app.settings.bundleID) \(environmentName)" }
  /// Parameters of statements about the app and environment.
  private var appParameters: [String: Value] { ["bundle_id": .text(app.settings.bundleID), "environment": .text(environmentName)] }

  /// A customer of a purchase: an id for requests to Apple, and the id of the stored progress.
  private struct Customer: Sendable {
    var transactionID: String
    var id: String
  }

  func run() async throws -> CollectJob.Outcome {
    var outcome = CollectJob.Outcome()
    var batch = EvidenceBatch(sink: sink, name: name, runID: runID)
    let start = try await position()
    var last = start
    // A run that continues an interrupted one ends with the customers of earlier purchases.
    var isLastPass = start.isEmpty
    var asked: Set<String> = []
    var failures = FailureStreak()
    search: while true {
      let customers = try await wanted(after: last, until: isLastPass ? start : "")
      guard let end = customers.last else {
        if isLastPass { break }
        (last, isLastPass) = ("", true)
        continue
      }
      last = end.transactionID
      for customer in customers where !asked.contains(customer.id) {
        // A history read in this run may have identified the owner of this purchase.
        let isKnown = try await asked.contains(owner(of: customer))
        if isKnown { continue }
        if asked.count < Self.askedMax { asked.insert(customer.id) }
        try await batch.open()
        do {
          if try await !read(customer, &batch, into: &outcome.tally) {
            outcome.leave("the list of transaction \(customer.transactionID) does not end", of: name)
          }
          failures.add(nil)
          if asked.count < Self.askedMax { asked.insert(try await owner(of: customer)) }
        } catch let fault as APIFault {
          failures.add(fault.isOfThisIDAlone ? nil : fault)
          if fault.isOfThisIDAlone { continue }
          try outcome.leave(fault, of: name)
          outcome.failedCount += 1
          if failures.isOver {
            try await save(position: customer.transactionID)
            break search
          }
        }
        sink.context.progress.report(stage: name, done: outcome.tally.input, total: nil)
      }
      if customers.count == Self.purchasesMax { try await save(position: last) }
    }
    if batch.batchID != nil || !start.isEmpty, !failures.isOver { try await save(position: nil) }
    try await batch.close()
    return outcome
  }

  /// Returns the purchase at which an interrupted run stopped; empty if the last run was complete.
  private func position() async throws -> String {
    try await CollectionProgress.load(
      kind, bundleID: app.settings.bundleID, environment: environmentName, on: sink.session, sql: sink.context.sql
    ).cursor ?? ""
  }

  /// Saves the purchase after which the next run continues.
  ///
  /// - Parameter position: nil at the end of a complete run.
  private func save(position: String?) async throws {
    let progress = CollectionProgress(
      job: kind, bundleID: app.settings.bundleID, environment: environmentName, cursor: position,
      collectedTo: position == nil ? sink.context.asOf : nil)
    try await sink.session.retrying { [sql = sink.context.sql] tx in try progress.save(&tx, sql: sql) }
  }

  /// - Parameter end: greatest id of a purchase; empty for no limit.
  private func wanted(after id: String, until end: String) async throws -> [Customer] {
    let parameters = appParameters.merging([
      "after_id": .text(id), "until_id": .text(end), "row_max": .int8(Int64(Self.purchasesMax)),
      "since": sink.context.asOf.advanced(bySeconds: -CollectJob.lookBackSeconds).sqlValue,
    ]) { $1 }
    let statement = kind == .refunds ? CollectSQL.wantedRefunds : CollectSQL.wantedHistories
    return try await sink.session.rows(sink.context.sql(statement), parameters).map { Customer(transactionID: $0, id: $1) }
  }

  /// Returns the id of the customer as the database knows it now.
  private func owner(of customer: Customer) async throws -> String {
    let parameters = appParameters.merging(["original_transaction_id": .text(customer.transactionID)]) { $1 }
    return try await sink.session.rows(sink.context.sql(CollectSQL.customerOf), parameters).first ?? customer.id
  }

  /// Reads one customer's list.
  ///
  /// - Parameter tally: increased by the stored items even if a later page fails.
  /// - Returns: false if Apple says that more follows, but not after which position, or leads back to an earlier one.
  private func read(_ customer: Customer, _ batch: inout EvidenceBatch, into tally: inout Tally) async throws -> Bool {
    var progress = try await CollectionProgress.load(
      kind, bundleID: app.settings.bundleID, environment: environmentName, subject: customer.id, on: sink.session,
      sql: sink.context.sql)
    do {
      return try await pages(customer, &progress, &batch, into: &tally)
    } catch let fault as APIFault where fault.remedy == .dropRevision {
      // Apple refuses the stored revision: read the whole history again; known items count as repeated.
      progress.cursor = nil
      return try await pages(customer, &progress, &batch, into: &tally)
    }
  }

  private func pages(
    _ customer: Customer, _ progress: inout CollectionProgress, _ batch: inout EvidenceBatch, into tally: inout Tally
  ) async throws -> Bool {
    var asked: Set<String> = []
    while true {
      if let cursor = progress.cursor { asked.insert(cursor) }
      let page = try await page(customer, progress.cursor)
      let leadsOn = page.revision.map { !asked.contains($0) } ?? false
      progress.cursor = page.revision ?? progress.cursor
      progress.collectedTo = sink.context.asOf
      let items = page.signedTransactions.map { Array($0.text.utf8) }
      let owner = appParameters.merging(["customer_id": .text(customer.id)]) { $1 }
      tally =
        tally
        + (try await batch.store(items) { [progress, sql = sink.context.sql] tx, stored in
          let purchases: [String: Value] = ["original_transaction_ids": .textArray(stored.originalTransactionIDs)]
          try tx.send(sql(CollectSQL.recordCustomer), owner.merging(purchases) { $1 })
          try progress.save(&tx, sql: sql)
        })
      guard page.hasMore, leadsOn, asked.count < Self.pagesMax else { return !page.hasMore }
    }
  }

  private func page(_ customer: Customer, _ revision: String?) async throws -> TransactionPage {
    kind == .refunds
      ? try await app.client.refundHistory(of: customer.transactionID, revision: revision, in: environment)
      : try await app.client.transactionHistory(of: customer.transactionID, revision: revision, in: environment)
  }
}
