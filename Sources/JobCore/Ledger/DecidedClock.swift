package import Domain
package import Postgres

/// The latest clock of recorded decisions. A run before it may only report what was known.
package struct DecidedClock: Sendable, CustomStringConvertible {
  package var runID: String
  package var asOf: Timestamp

  package var description: String { "\(asOf.rfc3339) (run \(runID))" }

  /// Returns the decisions with a later clock than this run's; nil if there are none.
  package static func after(_ context: JobContext, on session: Session) async throws -> DecidedClock? {
    let last = try await context.rows(RunsSQL.lastDecided, on: session).first
    guard let (runID, text) = last, let asOf = Timestamp(rfc3339: text), asOf > context.asOf else { return nil }
    return DecidedClock(runID: runID, asOf: asOf)
  }
}

/// A check that a job must pass before it decides anything.
public struct DecisionGate: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// - Throws: `JobError` if decisions of a later clock exist.
  public func check() async throws {
    try await context.withSession(as: .report) { session in try await check(on: session) }
  }

  /// Throws if decisions of a later clock exist. A decision is known from its clock on, so an earlier decision would change reports
  /// already written.
  package func check(on session: Session) async throws {
    if let later = try await DecidedClock.after(context, on: session) { throw refusal(later) }
  }

  private func refusal(_ later: DecidedClock) -> JobError {
    JobError(
      "refusal.clock", ["at": context.asOf.rfc3339, "later": "\(later)"],
      hint: "Decide as of then or later; payrecon report --as-of shows what was known before. Nothing was changed.",
      status: context.isClockGiven ? .usage : .error)
  }
}
