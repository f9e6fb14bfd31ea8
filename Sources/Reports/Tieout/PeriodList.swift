public import JobCore
internal import Postgres

/// Apple's fiscal periods and the progress of their tie-outs, as of a clock.
public struct PeriodList: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Streams the periods from the first one with a report to that of the clock.
  ///
  /// - Throws: errors of `sink`, and `JobError` if the filter names an unknown column.
  public func stream(_ format: ExportFormat, filter: RowFilter, sink: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
    let file = try context.sql(TieoutSQL.periods)
    let parameters: [String: Value] = ["as_of": context.asOfValue, "horizon": .int8(context.settings.finance.horizonPeriods)]
    try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      _ = try filter.stream(file, parameters, as: format, tx: &tx, to: sink)
    }
  }
}
