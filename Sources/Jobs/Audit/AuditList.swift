internal import Domain
internal import Postgres

/// Forms in which the audit chain is listed.
public enum AuditFormat: String, Sendable, CaseIterable {
  /// Columns for people, without hashes.
  case table
  case csv
  /// One array.
  case json
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
  public func run(format: AuditFormat, sink: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
    let session = try await context.open(as: .report)
    let file = try context.sql("audit/list.sql")
    let asOf: Value = context.isClockGiven ? context.asOfValue : .text("infinity")
    try await session.transaction(.readOnlySnapshot) { tx in
      if format == .table {
        try Self.writeTable(file, asOf, &tx, sink)
      } else {
        try Self.write(file, asOf, format, &tx, sink)
      }
    }
    await session.close()
  }

  private static func write(
    _ file: SQLFile, _ asOf: Value, _ format: AuditFormat, _ tx: inout Transaction, _ sink: ([UInt8]) throws -> Void
  ) throws {
    var encoder = RowEncoder(format: format == .csv ? .csv : .ndjson)
    var isFirst = true
    if format == .json { try sink(Array("[\n".utf8)) }
    _ = try tx.stream(
      file, ["as_of": asOf], columns: { encoder.begin(columns: $0) },
      row: { row in
        encoder.add(row)
        guard format == .json else {
          if encoder.bytes.count >= RowEncoder.flushBytes { try sink(encoder.take()) }
          return
        }
        try sink(Array((isFirst ? "" : ",\n").utf8) + encoder.take().dropLast())
        isFirst = false
      })
    try sink(encoder.take())
    if format == .json { try sink(Array((isFirst ? "]\n" : "\n]\n").utf8)) }
  }

  private static func writeTable(
    _ file: SQLFile, _ asOf: Value, _ tx: inout Transaction, _ sink: ([UInt8]) throws -> Void
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
      row: { row in try sink(line(row.texts.prefix(columns.count).map { $0 ?? "" })) })
  }
}
