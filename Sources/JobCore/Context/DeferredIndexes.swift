package import Postgres

extension JobContext {
  /// Builds the indexes of orders that a first load deferred; does nothing where there are none.
  ///
  /// A killed load leaves them to the next ingest of orders or the next match run, whichever is first.
  package func buildDeferredIndexes(on session: Session) async throws {
    _ = try await session.retrying { [sql] tx in try tx.rows(sql(IngestSQL.buildOrderIndexes)) }
  }
}
