public import Domain
public import JobCore
internal import Postgres
internal import Wording

/// Answers Apple's open requests for consumption information. No transaction is open during a call.
///
/// An answer is recorded before its first attempt, and every attempt sends the recorded text. A killed job may send the same text again;
/// Apple keeps one answer per request, so that changes nothing. Nothing is sent after Apple's deadline, nor for an answered request.
public struct ConsumptionSendJob: Sendable {
  let context: JobContext
  let access: StoreAccess
  /// Clock of Apple's deadlines.
  let now: @Sendable () -> Timestamp

  public init(context: JobContext, access: StoreAccess, now: @escaping @Sendable () -> Timestamp) {
    self.context = context
    self.access = access
    self.now = now
  }

  public struct Outcome: Sendable {
    public var sentCount = 0
    public var refusedCount = 0
    /// Requests that ended without an answer, by outcome: unconfirmed, refunded, no_consent or expired.
    public var ended: [String: Int] = [:]
    /// Production requests that are still open, with less than three hours left for an answer.
    public var urgentCount = 0
    /// Requests that are still open.
    public var openCount = 0
    /// Reasons why answers are left for the next run.
    public var unfinished: [String] = []
    /// Apps that could not be answered for, with the reason.
    public var unasked: [String] = []

    public var verdict: Verdict { !unfinished.isEmpty ? .incomplete : urgentCount + refusedCount > 0 ? .warnings : .clean }

    /// Records why answers are left; each reason once.
    mutating func leave(_ reason: String) {
      if !unfinished.contains(reason) { unfinished.append(reason) }
    }

    /// `3 sent, 1 refused; 5 open, 1 of them with less than three hours left`.
    public var text: String {
      let others = ended.sorted { $0.key < $1.key }.map { ", \($0.value) \($0.key)" }.joined()
      return "\(sentCount) sent, \(refusedCount) refused\(others); \(openCount) open, "
        + "\(urgentCount) of them with less than three hours left"
    }
  }

  /// Number of answers that are recorded together, before and after their attempts.
  static let answersMax = 64
  /// Number of failed attempts after which a run sends nothing more to the App Store of an app and environment.
  static let failuresMax = 10

  /// Answers every request that may be answered, the most urgent first.
  ///
  /// An earlier clock hides no answer of a later run, and no withdrawn consent: what is known now counts.
  public func run() async throws -> Outcome {
    let job = ConsumptionSendJob(context: context.withClock(max(context.asOf, now())), access: access, now: now)
    return try await job.runNow()
  }

  private func runNow() async throws -> Outcome {
    try await context.withRun(job: "consumption-send", lock: .consumption) { run, session in
      let sender = ConsumptionSender(job: self, session: session, runID: run.runID)
      let outcome = try await sender.run()
      try access.throwFirstError()
      let reasons = outcome.unfinished + outcome.unasked
      return RunResult(
        outcome, outcome.verdict,
        counts: [
          ("sent", outcome.sentCount), ("refused", outcome.refusedCount), ("open", outcome.openCount),
          ("urgent", outcome.urgentCount),
        ],
        reasons: reasons.isEmpty ? nil : reasons.map { .plain($0) })
    }
  }
}
