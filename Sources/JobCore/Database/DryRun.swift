package import Postgres

extension Session {
  /// Runs a decision in one transaction on one snapshot of all inputs. Facts ingested during the transaction belong to the next run.
  ///
  /// - Parameters:
  ///   - isDryRun: whether the changes are rolled back. The outcome is returned in any case.
  ///   - mode: another mode for work that must see concurrent changes.
  package func deciding<Outcome: Sendable>(
    isDryRun: Bool, in mode: TransactionMode = .snapshot, _ body: @escaping @Sendable (inout DatabaseTransaction) throws -> Outcome
  ) async throws -> Outcome {
    do {
      return try await retrying(mode) { tx in
        let outcome = try body(&tx)
        if isDryRun {
          try tx.flush()
          throw Rollback(outcome: outcome)
        }
        return outcome
      }
    } catch let rollback as Rollback<Outcome> {
      return rollback.outcome
    }
  }
}

/// The error that carries the outcome of a dry run out of its rolled-back transaction.
private struct Rollback<Outcome: Sendable>: Error { var outcome: Outcome }
