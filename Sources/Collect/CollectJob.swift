internal import AppStoreServer
public import Domain
public import JobCore
internal import Logging
internal import Postgres
internal import Wording

/// Collects missing data from Apple and stores it as evidence.
public struct CollectJob: Sendable {
  /// Age limit of the charges and orders considered, in seconds.
  static let lookBackSeconds: Int64 = 90 * 86_400

  let context: JobContext
  let access: StoreAccess

  public init(context: JobContext, access: StoreAccess) {
    self.context = context
    self.access = access
  }

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
      leave("\(fault)", of: name)
    }

    mutating func leave(_ reason: String, of name: String) {
      let line = "\(name): \(reason)"
      if !unfinished.contains(line) { unfinished.append(line) }
    }

    mutating func add(_ other: Outcome) {
      tally = tally + other.tally
      unfinished += other.unfinished.filter { !unfinished.contains($0) }
      missedCount += other.missedCount
      failedCount += other.failedCount
    }
  }

  public func run(_ job: CollectKind) async throws -> Outcome {
    guard job != .receipts || !access.receiptApps.isEmpty else {
      try access.throwFirstError()
      throw JobError(
        "could not ask Apple about receipts: no app has a shared secret",
        hint: "Add \"api: {shared_secret_file}\" to the apps in the settings file.", status: .usage)
    }
    guard job == .receipts || !access.apps.isEmpty else {
      try access.throwFirstError()
      throw JobError(
        "could not ask Apple: no app has an API key",
        hint: "Add \"api: {issuer_id, key_id, key_file}\" to the apps in the settings file.", status: .usage)
    }
    return try await context.withRun(job: "collect-\(job.rawValue)", lock: .collect) { run, session in
      let sink = try EvidenceSink(context: context, session: session)
      var outcome = try await collect(job, sink: sink, runID: run.runID)
      outcome.unasked = access.unasked(of: context.settings.apps, by: job == .receipts ? [.sharedSecret] : [.key])
      return RunResult(
        outcome, outcome.verdict, counts: [("input", outcome.tally.input)],
        reasons: (outcome.unfinished + outcome.unasked).map { .plain($0) })
    }
  }

  private func collect(_ job: CollectKind, sink: EvidenceSink, runID: String) async throws -> Outcome {
    var outcome = Outcome()
    // Production refuses the key of an app without a release, and the sandbox answers.
    let errors = try await context.eachApp(collectors(job, sink: sink, runID: runID), bundleID: \.bundleID) {
      outcome.add(try await $0.collector.run())
    }
    try access.throwFirstError(errors)
    return outcome
  }

  /// Returns the collectors of all apps in their order.
  private func collectors(_ job: CollectKind, sink: EvidenceSink, runID: String) -> [(bundleID: String, collector: any Collector)] {
    if job == .receipts {
      return access.receiptApps.map { ($0.settings.bundleID, ReceiptCollector(app: $0, sink: sink, runID: runID)) }
    }
    return access.apps.flatMap { app in
      let lists = [APIEnvironment.production, .sandbox].map { environment -> any Collector in
        job == .notifications
          ? NotificationCollector(app: app, environment: environment, sink: sink, runID: runID)
          : HistoryCollector(kind: job, app: app, environment: environment, sink: sink, runID: runID)
      }
      let transactions: [any Collector] = job == .transactions ? [TransactionCollector(app: app, sink: sink, runID: runID)] : []
      return (transactions + lists).map { (bundleID: app.settings.bundleID, collector: $0) }
    }
  }
}

extension JobContext {
  /// Does the work of each app, although another app's fails: a refused key or a wrong root says nothing about the others.
  ///
  /// - Returns: the errors of the apps whose work failed. The caller throws the first one at its end.
  /// - Throws: any error that is no `JobError`, at once.
  func eachApp<App>(_ apps: [App], bundleID: (App) -> String, _ work: (App) async throws -> Void) async throws -> [JobError] {
    var errors: [JobError] = []
    for app in apps {
      do { try await work(app) } catch let error as JobError {
        log.error("an app was left", metadata: ["app.bundle_id": "\(bundleID(app))", "reason": "\(error)"])
        errors.append(error)
      }
    }
    return errors
  }
}

/// A collector of some of an app's data.
protocol Collector: Sendable {
  /// Requests and stores what is missing.
  func run() async throws -> CollectJob.Outcome
}

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
