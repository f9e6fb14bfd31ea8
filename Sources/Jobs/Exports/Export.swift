internal import Domain
internal import Postgres

/// Lists that can be exported; the raw value is the word of the command line and of the file in sql/exports.
public enum ExportList: String, Sendable, CaseIterable {
  case orders, evidence, quarantine, parked, transactions, charges, matches, breaks, pending, signals, cases, lists, subscriptions, runs
  case renewalsToBook = "renewals-to-book"
}

/// Forms of an export.
public enum ExportFormat: String, Sendable, CaseIterable {
  case csv, ndjson
}

extension ExportList {
  /// What the database cannot tell of a row.
  fileprivate func computed(asOf: Timestamp) -> RowEncoder.Computed? {
    guard self == .subscriptions else { return nil }
    return RowEncoder.Computed(column: "next_poll_at", hiddenCount: 2) { row in
      RenewalAppointment.next(row, expiresAt: "expires_at", isRenewing: "auto_renew", askedAt: "last_polled_at", at: asOf)
    }
  }
}

/// Writes a list as it was known at an instant, row by row, whatever its length.
public struct ExportJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Streams a list to `sink` and returns the number of rows.
  ///
  /// The knowledge is cut at the clock only when one was given: a plain export shows all that is in the database.
  ///
  /// - Parameter filter: rows that are wanted.
  public func run(
    _ list: ExportList, format: ExportFormat, filter: RowFilter = RowFilter(),
    sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Int {
    let session = try await context.open(as: .report)
    let asOf = try await effectiveAsOf(on: session)
    let sql = context.sql
    let count = try await session.transaction(.readOnlySnapshot) { tx in
      try tx.lookBack(to: asOf, files: sql)
      var encoder = RowEncoder(format: format, computed: list.computed(asOf: asOf))
      let statement = try sql("exports/\(list.rawValue).sql")
      var chosen = RowFilter.Choice(filter)
      _ = try tx.stream(
        statement, ["as_of": .timestamptz(microseconds: asOf.microseconds)],
        columns: {
          encoder.begin(columns: $0)
          chosen.begin(columns: $0)
        },
        row: { row in
          guard chosen.takes(row) else { return }
          encoder.add(row)
          if encoder.bytes.count >= RowEncoder.flushBytes { try sink(encoder.take()) }
        })
      try sink(encoder.take())
      return chosen.count
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

  /// A column that is made of the others of its row.
  struct Computed {
    var column: String
    /// Last columns, which are there for the sake of this one alone.
    var hiddenCount: Int
    var value: (ReportRecord) -> String?
  }

  let format: ExportFormat
  private(set) var bytes: [UInt8] = []
  private var columns: [[UInt8]] = []
  private let computed: Computed?
  private var index: [String: Int] = [:]

  init(format: ExportFormat, computed: Computed? = nil) {
    self.format = format
    self.computed = computed
  }

  mutating func begin(columns all: [String]) {
    if computed != nil { index = Dictionary(all.enumerated().map { ($1, $0) }) { first, _ in first } }
    let names = all.dropLast(computed?.hiddenCount ?? 0)
    switch format {
    case .csv:
      bytes += CSVLine.bytes(Array(names))
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
    let made = made(row)
    for index in 0..<row.count - (computed?.hiddenCount ?? 0) {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard let cell = index == made?.index ? made?.bytes : Self.cell(row, index) else { continue }
      TextCell.appendCSV(cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The computed cell of a row and its place.
  private func made(_ row: borrowing TextRow) -> (index: Int, bytes: [UInt8]?)? {
    guard let computed, let place = index[computed.column] else { return nil }
    let value = computed.value(ReportRecord(index: index, cells: row.texts))
    return (place, value.map { Array($0.utf8) })
  }

  /// A cell's bytes, booleans spelt out; nil for null.
  private static func cell(_ row: borrowing TextRow, _ index: Int) -> [UInt8]? {
    guard let bytes = row.bytes(index) else { return nil }
    guard row.isBoolean(index) else { return bytes }
    return Array((bytes == [UInt8(ascii: "t")] ? "true" : "false").utf8)
  }

  private mutating func addJSON(_ row: borrowing TextRow) {
    bytes.append(UInt8(ascii: "{"))
    let made = made(row)
    for index in 0..<row.count - (computed?.hiddenCount ?? 0) {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += columns[index]
      if let cell = index == made?.index ? made?.bytes : Self.cell(row, index) {
        if row.isNumeric(index) || row.isBoolean(index) { bytes += cell } else { TextCell.appendJSON(cell, to: &bytes) }
      } else {
        bytes += Array("null".utf8)
      }
    }
    bytes += Array("}\n".utf8)
  }
}
