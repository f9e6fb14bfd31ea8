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

extension JobContext {
  /// Throws `JobError` if decisions of a later clock exist.
  public func requireNewestClock() async throws {
    try await withSession(as: .report) { session in try await requireNewestClock(on: session) }
  }

  /// Throws `JobError` if decisions of a later clock exist. A decision is known from its clock on, so an earlier decision would change
  /// reports already written.
  package func requireNewestClock(on session: Session) async throws {
    guard let later = try await DecidedClock.after(self, on: session) else { return }
    throw JobError(
      "refusal.clock", ["at": asOf.rfc3339, "later": "\(later)"],
      hint: "Decide as of then or later; payrecon report --as-of shows what was known before. Nothing was changed.",
      status: isClockGiven ? .usage : .error)
  }
}
