package import Postgres

extension JobContext {
  /// Returns the rows of a statement that is run alone.
  package func rows<each Cell: Sendable>(
    _ statement: Statement<repeat each Cell>, _ parameters: [String: Value] = [:], on session: Session
  ) async throws -> [(repeat each Cell)] {
    try await session.rows(sql(statement), parameters)
  }

  /// Returns the rows of a list that is read alone.
  package func records(_ listing: Listing, _ parameters: [String: Value] = [:], on session: Session) async throws -> [ReportRecord] {
    let files = sql
    return try await session.transaction(.readOnlySnapshot) { tx in
      try ReportTable.read(listing, parameters, files: files, tx: &tx).records
    }
  }
}
