internal import AppStoreServer
public import Domain
internal import Postgres

/// Asks Apple about the subscriptions whose appointments are due, together with other workers that do the same.
///
/// Appointments are leased in short transactions; what Apple answers is stored as evidence in the transaction that ends
/// the appointment. A worker that dies keeps nobody waiting longer than its lease.
public struct RenewalPollJob: Sendable {
  let context: JobContext
  let access: StoreAccess
  /// Name under which appointments are leased.
  let worker: String
  /// Clock of the leases.
  let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - worker: differs between workers that run at the same time.
  ///   - now: clock of the leases; the same for all workers.
  public init(context: JobContext, access: StoreAccess, worker: String, now: @escaping @Sendable () -> Timestamp) {
    self.context = context
    self.access = access
    self.worker = worker
    self.now = now
  }

  /// What to ask in one run.
  public struct Options: Sendable {
    /// Questions at most; nil asks all that is due.
    public var limit: Int?
    /// Appointments that open before the clock and are due within this span after it are kept now.
    public var aheadSeconds: Int64 = 0
    /// How long appointments are held.
    public var leaseSeconds: Int64 = 900

    public init() {}
  }

  /// What a run came to.
  public struct Outcome: Sendable {
    public var askedCount = 0
    /// Subscriptions that Apple does not know, or would not be asked about.
    public var missedCount = 0
    public var failedCount = 0
    public var tally = Tally()
    /// Why questions are left for the next run.
    public var unfinished: [String] = []
    /// Whether asking on would be of no use.
    var isStopped = false

    public var verdict: Verdict { unfinished.isEmpty ? .clean : .incomplete }
  }

  /// Asks about everything that is due.
  public func run(_ options: Options = Options()) async throws -> Outcome {
    let bundles = access.apps.map(\.settings.bundleID)
    let receiptApps = access.receiptApps.filter { !bundles.contains($0.settings.bundleID) }
    guard !access.apps.isEmpty || !receiptApps.isEmpty else {
      throw JobError(
        "could not ask Apple: no app has an API key or a shared secret",
        hint: "Add \"api: {issuer_id, key_id, key_file}\" to the apps in the settings file.", status: .usage)
    }
    return try await ledgered { sink, runID in
      let all = bundles + receiptApps.map(\.settings.bundleID)
      try await RenewalQueue(context: context, session: sink.session, now: now()).refresh(bundles: all)
      var outcome = Outcome()
      for app in access.apps {
        var poller = RenewalPoller(job: self, app: app, sink: sink, runID: runID, options: options)
        try await poller.run(&outcome)
      }
      for app in receiptApps {
        let poller = RenewalReceiptPoller(job: self, app: app, sink: sink, runID: runID, options: options)
        try await poller.run(&outcome)
      }
      try await RenewalQueue(context: context, session: sink.session, now: now()).refresh(bundles: all)
      return outcome
    }
  }

  /// Asks about one subscription now, whatever the schedule says and whichever App Store it is of.
  public func run(subscription originalTransactionID: String) async throws -> Outcome {
    try await ledgered { sink, runID in
      let places = try await self.places(of: originalTransactionID, on: sink.session)
      var outcome = Outcome()
      for app in access.apps {
        for place in places where place.bundleID == app.settings.bundleID {
          var poller = RenewalPoller(job: self, app: app, sink: sink, runID: runID, options: Options())
          try await poller.ask(originalTransactionID, environment: place.environment, &outcome)
        }
      }
      guard outcome.askedCount + outcome.failedCount > 0 else {
        throw JobError(
          "could not ask about \"\(originalTransactionID)\": it is no subscription of an app with an API key",
          hint: "See payrecon export subscriptions.", status: .usage)
      }
      return outcome
    }
  }

  private func ledgered(_ work: (EvidenceSink, String) async throws -> Outcome) async throws -> Outcome {
    try await RenewalRun(context: context).ledgered(job: "renewals-poll", lock: nil) { runID, session in
      let sink = try EvidenceSink(context: context, session: session)
      try await sink.prepare()
      let outcome = try await work(sink, runID)
      return (
        outcome, outcome.verdict, "{\"asked\":\(outcome.askedCount),\"input\":\(outcome.tally.input)}",
        outcome.unfinished.isEmpty ? nil : outcome.unfinished.joined(separator: "; ")
      )
    }
  }

  private func places(
    of originalTransactionID: String, on session: Session
  ) async throws -> [(bundleID: String, environment: APIEnvironment)] {
    let sql = context.sql
    let parameters: [String: Value] = [
      "original_transaction_id": .text(originalTransactionID), "as_of": context.asOfValue,
    ]
    let rows = try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(sql("renewals/find_subscription.sql"), parameters) { row throws(PostgresError) in
        (bundleID: try row.text(), environment: try row.text())
      }
    }
    return rows.map { ($0.bundleID, $0.environment == "Production" ? .production : .sandbox) }
  }
}

/// An appointment that this worker holds.
struct PollClaim: Sendable {
  var originalTransactionID: String
  var slot: String
  var dueAt: Timestamp
}

/// What the pollers of both interfaces do with appointments.
struct PollLeases: Sendable {
  let job: RenewalPollJob
  let bundleID: String
  let session: Session
  let options: RenewalPollJob.Options
  let runID: String

  /// Appointments held at once.
  static let claimsMax = 32

  /// Claims that find everything locked by another worker's transaction are repeated so often, with this pause.
  private static let claimsInVainMax = 100
  private static let claimPause = Duration.milliseconds(50)

  /// Leases what is due, the most money first; empty when nothing is left.
  func claim(max: Int) async throws -> [PollClaim] {
    for _ in 0..<Self.claimsInVainMax {
      let clock = job.now()
      let claims = try await claim(max: max, clock: clock)
      guard claims.isEmpty, try await isWaiting(clock: clock) else { return claims }
      try await Task.sleep(for: Self.claimPause)
    }
    return []
  }

  private func span(_ clock: Timestamp) -> [String: Value] {
    let ahead = job.context.asOf.advanced(bySeconds: options.aheadSeconds)
    return [
      "bundle_id": .text(bundleID), "as_of": job.context.asOfValue,
      "ahead_to": .timestamptz(microseconds: ahead.microseconds),
      "now": .timestamptz(microseconds: clock.microseconds),
    ]
  }

  private func isWaiting(clock: Timestamp) async throws -> Bool {
    let sql = job.context.sql
    let parameters = span(clock)
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(sql("renewals/waiting_polls.sql"), parameters) { row throws(PostgresError) in try row.bool() }
    }.first ?? false
  }

  private func claim(max: Int, clock: Timestamp) async throws -> [PollClaim] {
    let sql = job.context.sql
    let until = clock.advanced(bySeconds: options.leaseSeconds)
    let parameters = span(clock).merging([
      "worker": .text(job.worker), "row_max": .int8(Int64(max)),
      "lease_until": .timestamptz(microseconds: until.microseconds),
    ]) { $1 }
    return try await session.retrying { tx in
      try tx.rows(sql("renewals/claim_polls.sql"), parameters) { row throws(PostgresError) in
        PollClaim(
          originalTransactionID: try row.text(), slot: try row.text(),
          dueAt: Timestamp(microseconds: try row.timestamptz()))
      }
    }
  }

  /// Records that Apple answered, and ends the appointment.
  func end(
    _ claim: PollClaim, environment: String = "Production", answer: String, status: Int64? = nil,
    in tx: inout Transaction
  ) throws {
    let due = Value.timestamptz(microseconds: claim.dueAt.microseconds)
    let sql = job.context.sql
    _ = try tx.run(
      sql("renewals/record_poll.sql"),
      [
        "original_transaction_id": .text(claim.originalTransactionID), "bundle_id": .text(bundleID),
        "environment": .text(environment), "slot": .text(claim.slot), "answer": .text(answer),
        "worker": .text(job.worker), "run_id": .text(runID),
        "apple_status": status.map { .int4(Int32(truncatingIfNeeded: $0)) } ?? .null, "slot_at": due,
        "asked_at": job.context.asOfValue,
      ])
    _ = try tx.run(
      sql("renewals/end_poll.sql"),
      [
        "original_transaction_id": .text(claim.originalTransactionID), "bundle_id": .text(bundleID),
        "worker": .text(job.worker), "due_at": due,
      ])
  }

  /// Notes that Apple did not answer.
  ///
  /// - Parameter givesBack: lets any worker try again at once; otherwise the lease is the pause before the next try.
  func fail(_ claim: PollClaim, fault: String, givesBack: Bool, in tx: inout Transaction) throws {
    _ = try tx.run(
      job.context.sql("renewals/fail_poll.sql"),
      [
        "original_transaction_id": .text(claim.originalTransactionID), "bundle_id": .text(bundleID),
        "worker": .text(job.worker), "fault": .text(fault), "gives_back": .bool(givesBack),
        "due_at": .timestamptz(microseconds: claim.dueAt.microseconds),
      ])
  }

  /// Gives an appointment back that was not asked about.
  func giveBack(_ claim: PollClaim, in tx: inout Transaction) throws {
    _ = try tx.run(
      job.context.sql("renewals/give_back_poll.sql"),
      [
        "original_transaction_id": .text(claim.originalTransactionID), "bundle_id": .text(bundleID),
        "worker": .text(job.worker), "due_at": .timestamptz(microseconds: claim.dueAt.microseconds),
      ])
  }
}
