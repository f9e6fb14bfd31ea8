internal import Domain
public import JobCore
internal import Postgres

extension ExportList {
  /// Returns the column that the database cannot compute; nil if the list has none.
  fileprivate func computed(asOf: Timestamp) -> RowEncoder.Computed? {
    guard self == .subscriptions else { return nil }
    return NextPoll.column(
      environment: "environment", expiresAt: "expires_at", isRenewing: "auto_renew", askedAt: "last_polled_at", hiddenCount: 2, at: asOf)
  }
}

/// A job that writes a list as known at an instant, row by row, regardless of its length.
public struct ExportJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Streams a list to `sink` and returns the number of rows.
  ///
  /// The list contains what was known at the given clock. Without a clock, it contains everything known now.
  ///
  /// - Parameter filter: selects the rows.
  public func run(
    _ list: ExportList, format: ExportFormat, filter: RowFilter = RowFilter(),
    sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Int {
    return try await context.readingSnapshot { tx, asOf in
      let file = try context.sql(list.statement)
      return try filter.stream(
        file, file.picking(from: ["as_of": asOf.sqlValue]), as: format, computed: list.computed(asOf: asOf), tx: &tx, to: sink)
    }
  }

  /// Returns the columns of a list as a Frictionless Table Schema.
  public func schema(_ list: ExportList) async throws -> [UInt8] {
    try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      let hiddenCount = list.computed(asOf: context.asOf)?.hiddenCount ?? 0
      let columns = try tx.columns(of: context.sql(list.statement)).map(\.name).dropLast(hiddenCount)
      return TableSchema.json(relation: list.rawValue, columns: Array(columns), words: try .read(files: context.sql, tx: &tx))
    }
  }
}

extension JobContext {
  /// Returns the given clock, or else the latest instant of the facts in the database, but not later than now. A run with a future clock
  /// is known from its clock on. If every run had a future clock, as in a simulation, the latest of these counts.
  func effectiveAsOf(on session: Session) async throws -> Timestamp {
    guard !isClockGiven else { return asOf }
    guard let known = try await rows(RunsSQL.latestClock, on: session).first, let latest = known.0.map(Timestamp.init(microseconds:)) else {
      return asOf
    }
    let hasOnlyFutureRuns = known.1.map { $0 > asOf.microseconds } ?? true
    return hasOnlyFutureRuns ? latest : min(latest, asOf)
  }

  /// Reads one snapshot as known at that clock.
  func readingSnapshot<Result: Sendable>(
    _ body: @escaping @Sendable (inout DatabaseTransaction, Timestamp) throws -> Result
  ) async throws -> Result {
    try await withSession(as: .report) { session in
      let asOf = try await effectiveAsOf(on: session)
      return try await session.transaction(.readOnlySnapshot) { tx in
        try tx.lookBack(to: asOf, files: sql)
        return try body(&tx, asOf)
      }
    }
  }
}
