package import Postgres

/// Formats of an export or a list.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// Aligned columns for reading.
  case table
  case csv
  /// One array of objects.
  case json
  case ndjson
}

/// An encoder of rows as CSV (RFC 4180, LF), JSON, NDJSON or aligned columns.
package struct RowEncoder {
  /// Size in bytes from which a partial result is passed on.
  package static let flushBytes = 1 << 16

  /// A column that is computed from the others of its row.
  package struct Computed {
    package var column: String
    /// Number of last columns that only serve this computation and are not shown.
    package var hiddenCount: Int
    package var value: (ReportRecord) throws -> String?

    package init(column: String, hiddenCount: Int, value: @escaping (ReportRecord) throws -> String?) {
      self.column = column
      self.hiddenCount = hiddenCount
      self.value = value
    }
  }

  let format: ExportFormat
  package private(set) var bytes: [UInt8] = []
  private var columns: [[UInt8]] = []
  private let computed: Computed?
  private var table = TextTable()
  private var hasRows = false
  private var index: [String: Int] = [:]

  /// - Parameters:
  ///   - isColoured: whether a table is for a terminal that shows colours.
  ///   - room: width of the terminal in columns; nil if there is none.
  package init(format: ExportFormat, computed: Computed? = nil, isColoured: Bool = false, room: Int? = nil) {
    table.isColoured = isColoured
    table.room = room
    self.format = format
    self.computed = computed
  }

  package mutating func begin(columns all: [String]) {
    if computed != nil { index = Dictionary(all.enumerated().map { ($1, $0) }) { first, _ in first } }
    let names = all.dropLast(computed?.hiddenCount ?? 0)
    switch format {
    case .csv: bytes += CSVLine.bytes(Array(names))
    case .json, .ndjson:
      columns = names.map { Array("\"\($0)\":".utf8) }
      if format == .json { bytes += Array("[".utf8) }
    case .table: table.begin(columns: Array(names))
    }
  }

  package mutating func add(_ row: borrowing TextRow) throws {
    switch format {
    case .csv: try addCSV(row)
    case .ndjson:
      try addJSON(row)
      bytes.append(UInt8(ascii: "\n"))
    case .json:
      bytes += Array((hasRows ? ",\n" : "\n").utf8)
      try addJSON(row)
    case .table: try addToTable(row)
    }
    hasRows = true
  }

  /// Adds a row from memory.
  package mutating func add(_ cells: [String?], isNumeric: [Bool]) {
    switch format {
    case .csv: bytes += CSVLine.bytes(cells)
    case .ndjson: bytes += Array((json(cells, isNumeric) + "\n").utf8)
    case .json: bytes += Array(((hasRows ? ",\n" : "\n") + json(cells, isNumeric)).utf8)
    case .table: table.add(cells, isNumeric: isNumeric)
    }
    hasRows = true
  }

  private func json(_ cells: [String?], _ isNumeric: [Bool]) -> String {
    let fields = cells.indices.map { place in
      let cell = cells[place].map { isNumeric[place] ? $0 : ReportText.quoted($0) } ?? "null"
      return String(decoding: columns[place], as: UTF8.self) + cell
    }
    return "{\(fields.joined(separator: ","))}"
  }

  /// Returns the bytes that remain after the last row.
  package mutating func finish() -> [UInt8] {
    switch format {
    case .csv, .ndjson: break
    case .json: bytes += Array("\n]\n".utf8)
    case .table: bytes += Array(table.text.utf8)
    }
    return take()
  }

  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func addCSV(_ row: borrowing TextRow) throws {
    let made = try made(row)
    for index in 0..<row.count - (computed?.hiddenCount ?? 0) {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard let cell = index == made?.index ? made?.bytes : Self.cell(row, index) else { continue }
      TextCell.appendCSV(cell.span, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns the computed cell of a row and its index.
  private func made(_ row: borrowing TextRow) throws -> (index: Int, bytes: [UInt8]?)? {
    guard let computed, let place = index[computed.column] else { return nil }
    let value = try computed.value(ReportRecord(index: index, cells: row.texts))
    return (place, value.map { Array($0.utf8) })
  }

  /// Returns a cell's bytes, with booleans as `true` or `false`; nil for null.
  private static func cell(_ row: borrowing TextRow, _ index: Int) -> [UInt8]? {
    guard let bytes = row.bytes(index) else { return nil }
    guard row.isBoolean(index) else { return bytes }
    return Array((bytes == [UInt8(ascii: "t")] ? "true" : "false").utf8)
  }

  private mutating func addJSON(_ row: borrowing TextRow) throws {
    bytes.append(UInt8(ascii: "{"))
    let made = try made(row)
    for index in 0..<row.count - (computed?.hiddenCount ?? 0) {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += columns[index]
      if let cell = index == made?.index ? made?.bytes : Self.cell(row, index) {
        if row.isNumeric(index) || row.isBoolean(index) { bytes += cell } else { TextCell.appendJSON(cell, to: &bytes) }
      } else {
        bytes += Array("null".utf8)
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func addToTable(_ row: borrowing TextRow) throws {
    let made = try made(row)
    let places = 0..<row.count - (computed?.hiddenCount ?? 0)
    table.add(
      places.map { place in
        let cell = place == made?.index ? made?.bytes : Self.cell(row, place)
        return cell.map { String(decoding: $0, as: UTF8.self) }
      }, isNumeric: places.map { row.isNumeric($0) })
  }
}
