package import Postgres

extension JobContext {
  /// Returns the rows of a statement that is run alone.
  package func rows<each Cell: Sendable>(
    _ statement: Statement<repeat each Cell>, _ parameters: [String: Value] = [:], on session: Session
  ) async throws -> [(repeat each Cell)] {
    try await session.rows(sql(statement), parameters)
  }

  /// Returns the rows of a statement that is run alone, on a separate session.
  package func rows<each Cell: Sendable>(
    _ statement: Statement<repeat each Cell>, _ parameters: [String: Value] = [:], as role: DatabaseRole
  ) async throws -> [(repeat each Cell)] {
    try await withSession(as: role) { session in try await rows(statement, parameters, on: session) }
  }

  /// Returns the table of a list that is read alone, on a separate session.
  package func table(_ listing: Listing, _ parameters: [String: Value] = [:], as role: DatabaseRole) async throws -> ReportTable {
    let files = sql
    return try await transaction(as: role, .readOnlySnapshot) { tx in try ReportTable.read(listing, parameters, files: files, tx: &tx) }
  }

  /// Streams the selected rows of a list that is read alone, on a separate session. Returns their number.
  ///
  /// - Throws: errors of `sink`, and `JobError` if the filter names an unknown column.
  @discardableResult
  package func stream(
    _ listing: Listing, _ parameters: [String: Value] = [:], by filter: RowFilter, as format: ExportFormat, role: DatabaseRole = .report,
    to sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Int {
    let file = try sql(listing)
    return try await transaction(as: role, .readOnlySnapshot) { tx in
      try filter.stream(file, parameters, as: format, tx: &tx, to: sink)
    }
  }

  /// Returns the rows of a list that is read alone.
  package func records(_ listing: Listing, _ parameters: [String: Value] = [:], on session: Session) async throws -> [ReportRecord] {
    let files = sql
    return try await session.transaction(.readOnlySnapshot) { tx in
      try ReportTable.read(listing, parameters, files: files, tx: &tx).records
    }
  }
}
