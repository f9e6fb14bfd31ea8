internal import AppStoreServer
public import Domain
public import JobCore
internal import Postgres
internal import Wording

/// Queries Apple about the subscriptions whose appointments are due, in parallel with other workers.
///
/// Appointments are leased in short transactions. An answer is stored as evidence in the transaction that completes its appointment. The
/// appointments of a worker that dies become free when its lease ends.
public struct RenewalPollJob: Sendable {
  let context: JobContext
  let access: StoreAccess
  /// Name under which appointments are leased.
  let worker: String
  /// Clock of the leases.
  let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - worker: differs between concurrent workers.
  ///   - now: clock of the leases; the same for all workers.
  public init(context: JobContext, access: StoreAccess, worker: String, now: @escaping @Sendable () -> Timestamp) {
    self.context = context
    self.access = access
    self.worker = worker
    self.now = now
  }

  public struct Options: Sendable {
    /// Maximum number of queries; nil queries everything that is due.
    public var limit: Int?
    /// Span after the clock: appointments that are open now and due within it are included.
    public var aheadSeconds: Int64 = 0
    public var leaseSeconds: Int64 = 900
    /// Maximum number of concurrent queries, 1...`inFlightMax`.
    public var inFlight = Self.inFlightMax

    /// Number of connections; more queries would wait for each other.
    public static let inFlightMax = StoreAccess.connections

    public init() {}
  }

  public struct Outcome: Sendable {
    public var askedCount = 0
    /// Number of subscriptions that Apple does not know, or refuses to answer about.
    public var missedCount = 0
    public var failedCount = 0
    public var tally = Tally()
    /// Reasons why queries are left for the next run.
    public var unfinished: [String] = []
    /// Apps that could not be queried, with the reason.
    public var unasked: [String] = []
    /// Whether further queries about the app would fail.
    var isStopped = false

    public var verdict: Verdict { unfinished.isEmpty ? .clean : .incomplete }
  }

  /// Queries every due subscription.
  public func run(_ options: Options = Options()) async throws -> Outcome {
    let bundles = access.apps.map(\.settings.bundleID)
    let receiptApps = access.receiptApps.filter { !bundles.contains($0.settings.bundleID) }
    guard !access.apps.isEmpty || !receiptApps.isEmpty else {
      throw JobError(
        "could not ask Apple: no app has an API key or a shared secret",
        hint: "Add \"api: {issuer_id, key_id, key_file}\" to the apps in the settings file.", status: .usage)
    }
    return try await ledgered { sink, runID in
      try await RenewalQueue(context: context, session: sink.session, now: now()).refresh()
      var outcome = Outcome()
      var errors = try await context.eachApp(access.apps, bundleID: \.settings.bundleID) { app in
        outcome.isStopped = false
        var poller = RenewalPoller(job: self, app: app, sink: sink, runID: runID, options: options)
        try await poller.run(&outcome)
      }
      errors += try await context.eachApp(receiptApps, bundleID: \.settings.bundleID) { app in
        outcome.isStopped = false
        let poller = RenewalReceiptPoller(job: self, app: app, sink: sink, runID: runID, options: options)
        try await poller.run(&outcome)
      }
      try await RenewalQueue(context: context, session: sink.session, now: now()).refresh()
      try access.throwFirstError(errors)
      outcome.unasked = access.unasked(of: context.settings.apps, by: [.key, .sharedSecret])
      return outcome
    }
  }

  /// Queries one subscription now, regardless of the schedule and the App Store.
  public func run(subscription originalTransactionID: String) async throws -> Outcome {
    try await ledgered { sink, runID in
      let subscriptions = try await subscriptions(originalTransactionID, on: sink.session)
      var outcome = Outcome()
      for app in access.apps {
        for subscription in subscriptions where subscription.bundleID == app.settings.bundleID {
          var poller = RenewalPoller(job: self, app: app, sink: sink, runID: runID, options: Options())
          try await poller.ask(originalTransactionID, environment: subscription.environment, &outcome)
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
    try await context.withRun(job: "renewals-poll", lock: nil) { run, session in
      let sink = try EvidenceSink(context: context, session: session)
      try await PollLeases.prepare(context, session)
      let outcome = try await work(sink, run.runID)
      let reasons = outcome.unfinished + outcome.unasked
      return RunResult(
        outcome, outcome.verdict, counts: [("asked", outcome.askedCount), ("input", outcome.tally.input)],
        reasons: reasons.isEmpty ? nil : reasons.map { .plain($0) })
    }
  }

  /// Returns the apps and environments with a subscription of this id.
  private func subscriptions(
    _ originalTransactionID: String, on session: Session
  ) async throws -> [(bundleID: String, environment: APIEnvironment)] {
    let parameters: [String: Value] = ["original_transaction_id": .text(originalTransactionID), "as_of": context.asOfValue]
    let rows = try await session.rows(context.sql(RenewalsSQL.findSubscription), parameters)
    return rows.map { bundleID, environment in (bundleID, environment == "Production" ? .production : .sandbox) }
  }
}
