package import Postgres
internal import Wording

public enum ExportFormat: String, Sendable, CaseIterable {
  case table
  case csv
  case json
  case ndjson
}

/// An encoder of rows as CSV (RFC 4180, LF), JSON, NDJSON or aligned columns.
package struct RowEncoder {
  /// Size in bytes from which a partial result is passed on.
  package static let flushBytes = 1 << 16

  /// A column whose cells are computed from the row. The hidden columns are the last ones, which only serve the computation.
  package typealias Computed = (column: String, hiddenCount: Int, value: (ReportRecord) throws -> String?)

  let format: ExportFormat
  package private(set) var bytes: [UInt8] = []
  private var keys: [[UInt8]] = []
  private let computed: Computed?
  private var table = TextTable()
  private var hasRows = false
  private var index: [String: Int] = [:]

  package init(format: ExportFormat, computed: Computed? = nil, isColoured: Bool = false, room: Int? = nil) {
    table.isColoured = isColoured
    table.room = room
    self.format = format
    self.computed = computed
  }

  package mutating func begin(columns all: [String]) {
    if computed != nil { index = Dictionary(all.enumerated().map { ($1, $0) }) { first, _ in first } }
    let names = Array(all.dropLast(computed?.hiddenCount ?? 0))
    switch format {
    case .csv: bytes += CSVLine.bytes(names)
    case .json, .ndjson:
      keys = ReportText.jsonKeys(names)
      if format == .json { bytes.append(UInt8(ascii: "[")) }
    case .table: table.begin(columns: names)
    }
  }

  package mutating func add(_ row: borrowing TextRow) throws {
    var cells = try (0..<row.count).map { try Self.cell(row, $0) }
    if let computed, let place = index[computed.column] {
      cells[place] = try computed.value(ReportRecord(index: index, cells: row.texts)).map { Array($0.utf8) }
    }
    cells.removeLast(computed?.hiddenCount ?? 0)
    // JSON has booleans without quotes, too. A table aligns only numbers to the right.
    append(cells, isNumeric: cells.indices.map { row.isNumeric($0) || format != .table && row.isBoolean($0) })
  }

  package mutating func add(_ cells: [String?], isNumeric: [Bool]) {
    append(cells.map { $0.map { Array($0.utf8) } }, isNumeric: isNumeric)
  }

  private mutating func append(_ cells: [[UInt8]?], isNumeric: [Bool]) {
    switch format {
    case .csv:
      for (index, cell) in cells.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        if let cell { TextCell.appendCSV(cell.span, to: &bytes) }
      }
      bytes.append(UInt8(ascii: "\n"))
    case .ndjson:
      ReportText.appendJSONRow(cells, keys: keys, isNumeric: isNumeric, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    case .json:
      bytes += (hasRows ? ",\n" : "\n").utf8
      ReportText.appendJSONRow(cells, keys: keys, isNumeric: isNumeric, to: &bytes)
    case .table: table.add(cells.map { $0.map { String(decoding: $0, as: UTF8.self) } }, isNumeric: isNumeric)
    }
    hasRows = true
  }

  /// Returns the bytes that remain after the last row.
  package mutating func finish() -> [UInt8] {
    switch format {
    case .csv, .ndjson: break
    case .json: bytes += "\n]\n".utf8
    case .table: bytes += table.text.utf8
    }
    return take()
  }

  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Returns a cell's bytes, with booleans as `true` or `false` and phrases in English; nil for null.
  private static func cell(_ row: borrowing TextRow, _ index: Int) throws -> [UInt8]? {
    guard let bytes = row.bytes(index) else { return nil }
    if row.isJSON(index) { return Array(try Phrase(json: String(decoding: bytes, as: UTF8.self)).english.utf8) }
    guard row.isBoolean(index) else { return bytes }
    return Array((bytes == [UInt8(ascii: "t")] ? "true" : "false").utf8)
  }
}
