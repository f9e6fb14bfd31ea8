internal import AppStoreServer
public import Domain
public import JobCore
internal import Logging
internal import Postgres

/// Collects missing data from Apple and stores it as evidence.
public struct CollectJob: Sendable {
  let context: JobContext
  let access: StoreAccess

  public init(context: JobContext, access: StoreAccess) {
    self.context = context
    self.access = access
  }

  /// The result of a collection.
  public struct Outcome: Sendable {
    public var tally = Tally()
    /// Lists that could not be read to the end, with the reason; the next run continues them.
    public var unfinished: [String] = []
    /// Number of ids that neither App Store knew, or of receipts that Apple refused.
    public var missedCount = 0
    /// Number of ids, customers or receipts without an answer; the next run asks again.
    public var failedCount = 0
    /// Apps that could not be queried, with the reason.
    public var unasked: [String] = []

    public init() {}

    public var verdict: Verdict { unfinished.isEmpty ? .clean : .incomplete }

    /// Records why a list was not completed; each reason once.
    ///
    /// - Throws: as `throwIfAlarming`, when every request would fail.
    mutating func leave(_ fault: APIFault, of name: String) throws {
      try fault.throwIfAlarming(in: "payrecon collect")
      let line = "\(name): \(fault)"
      if !unfinished.contains(line) { unfinished.append(line) }
    }

    mutating func add(_ other: Outcome) {
      tally = tally + other.tally
      unfinished += other.unfinished.filter { !unfinished.contains($0) }
      missedCount += other.missedCount
      failedCount += other.failedCount
    }
  }

  static let environments: [APIEnvironment] = [.production, .sandbox]

  /// Executes one kind of collection as a run.
  public func run(_ job: CollectKind) async throws -> Outcome {
    guard job != .receipts || !access.receiptApps.isEmpty else {
      throw JobError(
        "could not ask Apple about receipts: no app has a shared secret",
        hint: "Add \"api: {shared_secret_file}\" to the apps in the settings file.", status: .usage)
    }
    guard job == .receipts || !access.apps.isEmpty else {
      throw JobError(
        "could not ask Apple: no app has an API key",
        hint: "Add \"api: {issuer_id, key_id, key_file}\" to the apps in the settings file.", status: .usage)
    }
    return try await context.withRun(job: "collect-\(job.rawValue)", lock: .collect) { run, session in
      let sink = try EvidenceSink(context: context, session: session)
      try await sink.prepare()
      var outcome = try await collect(job, sink: sink, runID: run.runID)
      outcome.unasked = access.unasked(of: context.settings.apps, by: job == .receipts ? [.sharedSecret] : [.key])
      return RunResult(
        outcome, outcome.verdict, counts: [("input", outcome.tally.input)],
        message: (outcome.unfinished + outcome.unasked).joined(separator: "; "))
    }
  }

  /// Collects from every app.
  ///
  /// - Throws: the first error of an app, after the other apps: a refused key or a wrong root says nothing about them.
  private func collect(_ job: CollectKind, sink: EvidenceSink, runID: String) async throws -> Outcome {
    var outcome = Outcome()
    var errors: [JobError] = []
    func add(_ app: AppSettings, _ collected: () async throws -> Outcome) async throws {
      do { outcome.add(try await collected()) } catch let error as JobError {
        context.log.error("an app was left", metadata: ["app.bundle_id": "\(app.bundleID)", "reason": "\(error)"])
        errors.append(error)
      }
    }
    if job == .receipts {
      for app in access.receiptApps { try await add(app.settings) { try await ReceiptCollector(app: app, sink: sink, runID: runID).run() } }
    } else {
      for app in access.apps { try await add(app.settings) { try await collect(job, of: app, sink: sink, runID: runID) } }
    }
    if let error = errors.first { throw error }
    return outcome
  }

  private func collect(_ job: CollectKind, of app: StoreAccess.App, sink: EvidenceSink, runID: String) async throws -> Outcome {
    var outcome = Outcome()
    if job == .transactions { outcome = try await TransactionCollector(app: app, sink: sink, runID: runID).run() }
    for environment in Self.environments {
      switch job {
      case .notifications:
        outcome.add(try await NotificationCollector(app: app, environment: environment, sink: sink, runID: runID).run())
      case .transactions, .refunds:
        let list: HistoryCollector.List = job == .refunds ? .refunds : .histories
        outcome.add(try await HistoryCollector(list: list, app: app, environment: environment, sink: sink, runID: runID).run())
      case .receipts: break
      }
    }
    return outcome
  }
}

/// The kinds of collection.
public enum CollectKind: String, Sendable, CaseIterable {
  case notifications, transactions, refunds, receipts
}

extension APIFault {
  /// Stops the job when every further request would fail in the same way.
  ///
  /// - Parameter command: the command to run again, for the hint.
  package func throwIfAlarming(in command: String) throws {
    guard case .configurationAlarm = retry else { return }
    throw JobError("could not ask Apple: \(description)", hint: "Correct the setting, then run \(command) again.")
  }
}
