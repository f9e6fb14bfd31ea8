package import Postgres

extension JobContext {
  /// Builds the indexes of orders that a first load deferred; does nothing if there are none, or while another session ingests orders.
  ///
  /// After an interrupted load, the next ingest of orders or the next match run builds them.
  package func buildDeferredIndexes(on session: Session) async throws {
    let lock: [String: Value] = ["orders_lock": .int8(JobLock.orders.rawValue)]
    _ = try await session.retrying { [sql] tx in try tx.rows(sql(IngestSQL.buildOrderIndexes), lock) }
  }
}
