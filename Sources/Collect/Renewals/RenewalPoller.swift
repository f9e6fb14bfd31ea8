internal import AppStoreServer
internal import Domain
internal import JobCore
internal import Postgres

/// Queries the App Store Server API for the statuses of one app's subscriptions.
struct RenewalPoller: Sendable {
  let job: RenewalPollJob
  let app: StoreAccess.App
  let sink: EvidenceSink
  let options: RenewalPollJob.Options
  private let leases: PollLeases
  private var batch: EvidenceBatch

  init(job: RenewalPollJob, app: StoreAccess.App, sink: EvidenceSink, runID: String, options: RenewalPollJob.Options) {
    self.job = job
    self.app = app
    self.sink = sink
    self.options = options
    leases = PollLeases(job: job, bundleID: app.settings.bundleID, session: sink.session, options: options, runID: runID)
    batch = EvidenceBatch(sink: sink, name: "renewals \(app.settings.bundleID)", runID: runID)
  }

  private struct Answer: Sendable {
    var result: PollResult
    /// Texts signed by Apple.
    var items: [[UInt8]] = []
    var fault: APIFault?
  }

  /// Completes appointments until none is due.
  mutating func run(_ outcome: inout RenewalPollJob.Outcome) async throws {
    var failures = FailureStreak()
    while !failures.isOver {
      let room = options.limit.map { $0 - outcome.askedCount - outcome.failedCount } ?? PollLeases.leasesMax
      guard room > 0 else { break }
      let leased = try await leases.lease(max: min(room, PollLeases.leasesMax))
      guard !leased.isEmpty else { break }
      let answers = await ask(leased, environment: .production, &failures)
      try await store(answers, environment: .production, &outcome)
      sink.context.progress.report(stage: batch.name, done: outcome.askedCount, total: nil)
      if outcome.isStopped { break }
    }
    try await batch.close()
  }

  /// Queries one subscription without an appointment.
  mutating func ask(_ originalTransactionID: String, environment: APIEnvironment, _ outcome: inout RenewalPollJob.Outcome) async throws {
    let lease = PollLease(originalTransactionID: originalTransactionID, slot: "on_demand", dueAt: sink.context.asOf)
    var failures = FailureStreak()
    let answers = await ask([lease], environment: environment, &failures)
    try await store(answers, environment: environment, &outcome)
    try await batch.close()
  }

  /// Sends several queries, a few concurrently.
  private func ask(_ leased: [PollLease], environment: APIEnvironment, _ failures: inout FailureStreak) async -> [Answer] {
    let (answers, rest) = await failures.ask(leased, inFlightMax: options.inFlight) { [client = app.client] lease in
      await Self.ask(lease, client, environment)
    } adding: {
      $0.add(isFailure: $1.fault != nil, endsRun: $1.fault?.endsRun == true)
    }
    return answers + rest.map { Answer(result: PollResult(lease: $0, end: .released(fault: nil))) }
  }

  private static func ask(_ lease: PollLease, _ client: AppStoreServerClient, _ environment: APIEnvironment) async -> Answer {
    do throws(APIFault) {
      let statuses = try await client.subscriptionStatuses(of: lease.originalTransactionID, in: environment)
      let last = statuses.lastTransactions
      let texts = last.flatMap { [$0.signedTransaction, $0.signedRenewalInfo].compactMap { $0 } }
      let own = last.first { $0.originalTransactionID == lease.originalTransactionID }
      let result = PollResult(lease: lease, end: .answered("found", status: own?.status))
      return Answer(result: result, items: texts.map { Array($0.text.utf8) })
    } catch {
      if error.isOfThisIDAlone {
        return Answer(result: PollResult(lease: lease, end: .answered(error.isNotFoundHere ? "not_found" : "refused", status: nil)))
      }
      let end = error.endsRun ? PollResult.End.released(fault: error.description) : .failed(error.description)
      return Answer(result: PollResult(lease: lease, end: end), fault: error)
    }
  }

  /// Stores answers in one transaction with the outcomes of their appointments.
  private mutating func store(_ answers: [Answer], environment: APIEnvironment, _ outcome: inout RenewalPollJob.Outcome) async throws {
    let (leases, word) = (leases, environment.appStoreEnvironment.rawValue)
    let results = answers.map(\.result)
    let tally = try await batch.store(answers.flatMap(\.items)) { tx, _ in try leases.record(results, environment: word, in: &tx) }
    outcome.tally = outcome.tally + tally
    try count(answers, &outcome)
  }

  private func count(_ answers: [Answer], _ outcome: inout RenewalPollJob.Outcome) throws {
    for answer in answers {
      if let fault = answer.fault {
        outcome.failedCount += 1
        outcome.unfinished.append("\(batch.name): \(fault)")
        if fault.endsRun { outcome.isStopped = true }
      } else if case .answered(let word, _) = answer.result.end {
        outcome.askedCount += 1
        if word != "found" { outcome.missedCount += 1 }
      } else {
        // Not sent, because the service is down.
        outcome.isStopped = true
      }
    }
    for fault in answers.compactMap(\.fault) { try fault.throwIfAlarming(in: "payrecon renewals poll") }
  }
}
