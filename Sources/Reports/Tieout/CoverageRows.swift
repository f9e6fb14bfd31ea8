internal import Domain
public import JobCore
internal import Postgres

/// From a figure of the coverage to the cells that add up to it.
public struct CoverageRows: Sendable {
  static let statement = "rows/coverage.sql"

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// - Parameters:
  ///   - figure: `2026-P11/USD/unexplained_units`: fiscal period, currency, column of coverage.csv; fewer of these parts for
  ///     all figures that they lead to.
  ///   - sink: takes the bytes, part by part.
  /// - Throws: `JobError` when no tie-out up to the clock has such a figure, or it is 0 or a percentage.
  public func run(
    figure: String, format: ExportFormat, filter: RowFilter, sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    let parts = figure.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= Self.keys.count else { throw Self.notFound(figure) }
    try await context.withSession(as: .report) { session in
      let asOf = try await ExportJob(context: context).effectiveAsOf(on: session)
      let sql = context.sql
      try await session.transaction(.readOnlySnapshot) { tx in
        try tx.lookBack(to: asOf, files: sql)
        var key: [String: Value] = ["as_of": .timestamptz(microseconds: asOf.microseconds)]
        for (index, name) in Self.keys.enumerated() { key[name] = .text(index < parts.count ? parts[index] : "") }
        // The last part is held back, so that nothing is written where there is no row.
        var held: [UInt8] = []
        let count = try filter.stream(sql(Self.statement), key, as: format, tx: &tx) { bytes in
          if !held.isEmpty { try sink(held) }
          held = bytes
        }
        guard count > 0 else { throw Self.notFound(figure) }
        try sink(held)
      }
    }
  }

  /// Parameters of the statement, in the order in which a figure names them.
  private static let keys = ["period", "currency", "figure"]

  private static func notFound(_ figure: String) -> JobError {
    JobError(
      "could not find rows behind \"\(figure)\" in the coverage",
      hint: "A figure is PERIOD/CURRENCY/COLUMN of coverage.csv, such as 2026-P11/USD/unexplained_units; one that is 0, or a "
        + "percentage, has no rows.",
      status: .usage)
  }
}
