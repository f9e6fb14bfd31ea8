internal import Domain
internal import JobCore
internal import Postgres

/// Completes the appointments of an app on StoreKit 1 by querying its stored receipts.
struct RenewalReceiptPoller: Sendable {
  let job: RenewalPollJob
  let app: StoreAccess.ReceiptApp
  let sink: EvidenceSink
  let runID: String
  let options: RenewalPollJob.Options

  func run(_ outcome: inout RenewalPollJob.Outcome) async throws {
    let leases = PollLeases(job: job, bundleID: app.settings.bundleID, session: sink.session, options: options, runID: runID)
    while !outcome.isStopped {
      let room = options.limit.map { $0 - outcome.askedCount } ?? PollLeases.leasesMax
      guard room > 0 else { return }
      let leased = try await leases.lease(max: min(room, PollLeases.leasesMax))
      guard !leased.isEmpty else { return }
      let collected = try await ReceiptCollector(app: app, sink: sink, runID: runID, chains: leased.map(\.originalTransactionID)).run()
      let fault = collected.unfinished.first
      let results = leased.map {
        PollResult(lease: $0, end: fault.map { .failed($0) } ?? .answered("receipt", status: nil))
      }
      let storeLock = try job.context.sql(IngestSQL.storeLock)
      try await sink.session.retrying { tx in
        try tx.send(storeLock)
        try leases.record(results, in: &tx)
      }
      outcome.tally = outcome.tally + collected.tally
      outcome.missedCount += collected.missedCount
      outcome.unfinished += collected.unfinished
      outcome.isStopped = fault != nil
      if fault == nil { outcome.askedCount += leased.count } else { outcome.failedCount += leased.count }
    }
  }
}
