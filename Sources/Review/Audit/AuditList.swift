public import JobCore
internal import Postgres

public struct AuditList: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Streams the entries up to `--as-of`, or all of them if no clock is given.
  public func run(format: ExportFormat, filter: RowFilter = RowFilter(), sink: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
    let query = try context.sql(AuditSQL.list)
    try await context.withSession(as: .report) { session in
      let asOf: Value = context.isClockGiven ? context.asOfValue : .text("infinity")
      try await session.transaction(.readOnlySnapshot) { tx in
        _ = try filter.stream(query, ["as_of": asOf], as: format, tx: &tx, to: sink)
      }
    }
  }
}
