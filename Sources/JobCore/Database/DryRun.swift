package import Postgres

extension Session {
  /// Decides something in one transaction, on one state of all inputs: what comes in beside it is the next run's.
  ///
  /// - Parameters:
  ///   - isDryRun: whatever the body did is rolled back; its outcome is returned all the same.
  ///   - mode: another one for what has to see what others do beside it.
  package func deciding<Outcome: Sendable>(
    isDryRun: Bool, in mode: TransactionMode = .snapshot, _ body: @escaping @Sendable (inout DatabaseTransaction) throws -> Outcome
  ) async throws -> Outcome {
    do {
      return try await retrying(mode) { tx in
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
