internal import Postgres

extension Session {
  /// Attempts of a decision that other transactions disturb.
  private static var decisionAttemptsMax: Int { 5 }

  /// Decides something in one transaction.
  ///
  /// - Parameter isDryRun: whatever the body did is rolled back; its outcome is returned all the same.
  func deciding<Outcome: Sendable>(
    isDryRun: Bool, _ body: @escaping @Sendable (inout Transaction) throws -> Outcome
  ) async throws -> Outcome {
    do {
      return try await retrying(attempts: Self.decisionAttemptsMax, .readWrite) { tx in
        let outcome = try body(&tx)
        if isDryRun { throw Rollback(outcome: outcome) }
        return outcome
      }
    } catch let rollback as Rollback<Outcome> {
      return rollback.outcome
    }
  }
}

/// Carries the outcome of a dry run out of the transaction that it rolls back.
private struct Rollback<Outcome: Sendable>: Error { var outcome: Outcome }
