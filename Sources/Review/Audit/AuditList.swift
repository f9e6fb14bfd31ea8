internal import Domain
public import JobCore
internal import Postgres

/// Forms in which the audit chain is listed.
public enum AuditFormat: String, Sendable, CaseIterable {
  /// Columns for people, without hashes.
  case table
  case csv
  /// One array.
  case json
  case ndjson

  fileprivate var rows: ExportFormat {
    switch self {
    case .table, .csv: .csv
    case .json: .json
    case .ndjson: .ndjson
    }
  }
}

/// Lists the entries of the audit chain.
public struct AuditList: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Columns of the table for people, and how wide they are at least.
  private static let columns = [
    ("number", 6), ("at", 20), ("actor", 10), ("login", 10), ("act", 17), ("subject", 34), ("details", 0),
  ]

  /// Streams the entries; without a clock of its own the list holds all of them.
  public func run(
    format: AuditFormat, filter: RowFilter = RowFilter(), sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    let query = try context.sql(AuditSQL.list)
    try await context.withSession(as: .report) { session in
      let asOf: Value = context.isClockGiven ? context.asOfValue : .text("infinity")
      try await session.transaction(.readOnlySnapshot) { tx in
        if format == .table {
          let file = try filter.ordered(query, tx: &tx)
          var chosen = RowFilter.Choice(filter)
          try Self.writeTable(file, asOf, &chosen, &tx, sink)
        } else {
          _ = try filter.stream(query, ["as_of": asOf], as: format.rows, tx: &tx, to: sink)
        }
      }
    }
  }

  private static func writeTable(
    _ file: SQLFile, _ asOf: Value, _ chosen: inout RowFilter.Choice, _ tx: inout DatabaseTransaction,
    _ sink: ([UInt8]) throws -> Void
  ) throws {
    func line(_ cells: [String]) -> [UInt8] {
      let padded = zip(cells, columns).map { cell, column in
        cell + String(repeating: " ", count: max(0, column.1 - cell.count))
      }
      return Array((padded.joined(separator: "  ") + "\n").utf8)
    }
    try sink(line(columns.map(\.0)))
    _ = try tx.stream(
      file, ["as_of": asOf], columns: { _ in },
      row: { row in if chosen.takes(row) { try sink(line(row.texts.prefix(columns.count).map { $0 ?? "" })) } })
  }
}
