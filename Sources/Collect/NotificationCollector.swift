internal import AppStoreServer
internal import Cryptography
internal import Domain
internal import Ingest
internal import JobCore
internal import Postgres

/// Reads the notifications that Apple sent or tried to send, from the end of the last collection.
struct NotificationCollector: Collector {
  let app: StoreAccess.App
  let environment: APIEnvironment
  let sink: EvidenceSink
  let runID: String

  /// Overlap with the previous window in seconds, because notifications appear late in Apple's list.
  static let overlapSeconds: Int64 = 6 * 3600
  static let itemsMax = 1000

  private var name: String { "notifications \(app.settings.bundleID) \(environment.appStoreEnvironment.rawValue)" }

  func run() async throws -> CollectJob.Outcome {
    var outcome = CollectJob.Outcome()
    var progress = try await CollectionProgress.load(
      .notifications, bundleID: app.settings.bundleID, environment: environment.appStoreEnvironment.rawValue, on: sink.session,
      sql: sink.context.sql)
    let isInterrupted = progress.windowTo != nil
    try await readWindow(&progress, &outcome)
    // An interrupted window ends at the clock of its run, and newer notifications are in the next one.
    let hasNewer = progress.windowTo == nil && (progress.collectedTo.map { $0 < sink.context.asOf } ?? false)
    if isInterrupted, hasNewer { try await readWindow(&progress, &outcome) }
    return outcome
  }

  /// Reads one window. If Apple refuses the position in it, reads it again from its beginning.
  private func readWindow(_ progress: inout CollectionProgress, _ outcome: inout CollectJob.Outcome) async throws {
    for isRestart in [false, true] {
      do {
        guard try await begin(&progress) else { return }
        return try await read(&progress, into: &outcome.tally)
      } catch let fault as APIFault {
        try fault.throwIfAlarming(in: "payrecon collect notifications")
        guard fault.remedy == .restartWindow, !isRestart else { return try outcome.leave(fault, of: name) }
        progress.cursor = nil
      }
    }
  }

  /// Opens a window, or continues an interrupted one. Returns false when there is nothing to request.
  private func begin(_ progress: inout CollectionProgress) async throws -> Bool {
    let (asOf, now) = (sink.context.asOf, WallClock.now())
    let historyStart = NotificationHistoryQuery.historyStart(environment, asOf: asOf, now: now)
    if let start = progress.windowFrom, progress.windowTo != nil, progress.batchID != nil {
      // Apple refuses a window that begins before its history, with any position in it.
      let isRefused = start < NotificationHistoryQuery.historyStart(environment, asOf: asOf, now: now, isOpen: true)
      if isRefused { (progress.windowFrom, progress.windowTo, progress.cursor) = (historyStart, asOf, nil) }
      return true
    }
    let from = progress.collectedTo?.advanced(bySeconds: -Self.overlapSeconds) ?? historyStart
    progress.windowFrom = max(from, historyStart)
    progress.windowTo = asOf
    progress.cursor = nil
    guard let start = progress.windowFrom, start < asOf else { return false }
    progress = try await sink.session.retrying { [progress] tx in
      var opened = progress
      opened.batchID = try sink.openBatch(name, runID: runID, in: &tx)
      try opened.save(&tx, sql: sink.context.sql)
      return opened
    }
    return true
  }

  /// Reads the notifications of the window.
  ///
  /// - Parameter tally: increased by the stored items even if a later page fails.
  private func read(_ progress: inout CollectionProgress, into tally: inout Tally) async throws {
    guard let from = progress.windowFrom, let to = progress.windowTo, let batchID = progress.batchID else { return }
    var pages = app.client.notificationHistoryPages(NotificationHistoryQuery(from: from, to: to), from: progress.cursor, in: environment)
    var items: [Item] = []
    do {
      while let page = try await pages.next() {
        items += page.notifications.map(Item.init)
        progress.cursor = page.paginationToken ?? progress.cursor
        guard items.count >= Self.itemsMax else { continue }
        tally = tally + (try await store(items, progress, batchID: batchID, isLast: false))
        items = []
        sink.context.progress.report(stage: name, done: tally.input, total: nil)
      }
    } catch let fault as APIFault {
      // Keep the pages already read: the next run continues after them.
      if fault.remedy == nil { tally = tally + (try await store(items, progress, batchID: batchID, isLast: false)) }
      throw fault
    }
    progress.collectedTo = to
    progress.windowFrom = nil
    progress.windowTo = nil
    progress.cursor = nil
    progress.batchID = nil
    tally = tally + (try await store(items, progress, batchID: batchID, isLast: true))
  }

  private func store(_ items: [Item], _ progress: CollectionProgress, batchID: Int64, isLast: Bool) async throws -> Tally {
    let sql = sink.context.sql
    let missed = items.compactMap { item in item.attempts.map { (sha256: SHA256.hex(item.bytes), attempts: $0) } }
    return try await sink.store(items.map(\.bytes), name: name, batchID: batchID, isLast: isLast) { tx, stored in
      try tx.recordMissed(missed, batchID: stored.batchID, sql: sql)
      try progress.save(&tx, sql: sql)
    }
  }
}

/// A notification in Apple's history.
private struct Item: Sendable {
  var bytes: [UInt8]
  /// nil if no attempt failed.
  var attempts: DeliveryAttempts?

  /// An item without a signed notification keeps its JSON text, which will be parked.
  init(_ sent: SentNotification) {
    bytes = sent.signedPayload.map { Array($0.text.utf8) } ?? sent.text
    attempts = sent.signedPayload == nil ? nil : DeliveryAttempts(results: sent.attemptResults)
  }
}
