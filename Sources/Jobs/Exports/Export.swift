internal import Domain
internal import Postgres

/// Lists that can be exported; the raw value is the word of the command line and of the file in sql/exports.
public enum ExportList: String, Sendable, CaseIterable {
  case orders, evidence, parked, transactions, charges, matches, breaks, pending, signals, cases, lists, subscriptions, runs
  case renewalsToBook = "renewals-to-book"
}

/// Forms of an export.
public enum ExportFormat: String, Sendable, CaseIterable {
  case csv, ndjson
}

/// Writes a list as it was known at an instant, row by row, whatever its length.
public struct ExportJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Streams a list to `sink` and returns the number of rows.
  ///
  /// The knowledge is cut at the clock only when one was given: a plain export shows all that is in the database.
  public func run(
    _ list: ExportList, format: ExportFormat, sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Int {
    let session = try await context.open(as: .report)
    let asOf = try await effectiveAsOf(on: session)
    let sql = context.sql
    let count = try await session.transaction(.readOnlySnapshot) { tx in
      var encoder = RowEncoder(format: format)
      let statement = try sql("exports/\(list.rawValue).sql")
      let rows = try tx.stream(
        statement, ["as_of": .timestamptz(microseconds: asOf.microseconds)],
        columns: { encoder.begin(columns: $0) },
        row: { row in
          encoder.add(row)
          if encoder.bytes.count >= RowEncoder.flushBytes { try sink(encoder.take()) }
        })
      try sink(encoder.take())
      return rows
    }
    await session.close()
    return count
  }

  /// The clock that was given, else the latest instant that anything in the database knows: a run may have had a clock
  /// ahead of this machine's.
  func effectiveAsOf(on session: Session) async throws -> Timestamp {
    guard !context.isClockGiven else { return context.asOf }
    let sql = context.sql
    let latest = try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(sql("runs/latest_clock.sql")) { row throws(PostgresError) in try row.optionalTimestamptz() }
    }
    guard let micros = latest.first ?? nil else { return context.asOf }
    return Timestamp(microseconds: micros)
  }
}

/// Turns rows of text into CSV (RFC 4180, LF) or NDJSON.
struct RowEncoder {
  /// Bytes after which a partial result is handed on.
  static let flushBytes = 1 << 16

  let format: ExportFormat
  private(set) var bytes: [UInt8] = []
  private var columns: [[UInt8]] = []

  init(format: ExportFormat) { self.format = format }

  mutating func begin(columns names: [String]) {
    switch format {
    case .csv:
      bytes += Array(names.joined(separator: ",").utf8)
      bytes.append(UInt8(ascii: "\n"))
    case .ndjson:
      columns = names.map { Array("\"\($0)\":".utf8) }
    }
  }

  mutating func add(_ row: borrowing TextRow) {
    switch format {
    case .csv: addCSV(row)
    case .ndjson: addJSON(row)
    }
  }

  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func addCSV(_ row: borrowing TextRow) {
    for index in 0..<row.count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard let cell = Self.cell(row, index) else { continue }
      TextCell.appendCSV(cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A cell's bytes, booleans spelt out; nil for null.
  private static func cell(_ row: borrowing TextRow, _ index: Int) -> [UInt8]? {
    guard let bytes = row.bytes(index) else { return nil }
    guard row.isBoolean(index) else { return bytes }
    return Array((bytes == [UInt8(ascii: "t")] ? "true" : "false").utf8)
  }

  private mutating func addJSON(_ row: borrowing TextRow) {
    bytes.append(UInt8(ascii: "{"))
    for index in 0..<row.count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += columns[index]
      if let cell = Self.cell(row, index) {
        if row.isNumeric(index) || row.isBoolean(index) { bytes += cell } else { TextCell.appendJSON(cell, to: &bytes) }
      } else {
        bytes += Array("null".utf8)
      }
    }
    bytes += Array("}\n".utf8)
  }
}
