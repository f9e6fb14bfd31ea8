internal import Domain
package import Postgres

/// Rows of a list that are wanted: those that have one of the words in each of the columns, the first so many of an order.
public struct RowFilter: Sendable {
  private var words: [String: Set<String>] = [:]
  /// Most rows; nil for all.
  public var rowsMax: Int?
  /// Column by which the rows are sorted, with `-` before it for the largest first; nil for the list's own order.
  public var sort: String?
  /// Whether the list is for a terminal that shows colours.
  public var isColoured = false
  /// How wide the terminal is that the list is for; nil where it is for none.
  public var terminalWidth: Int?

  public init() {}

  /// Asks for one of some words in a column, which may hold several, parted by spaces; none asks for nothing.
  public mutating func want(_ wanted: [String], in column: String) {
    if !wanted.isEmpty { words[column] = Set(wanted) }
  }

  private var order: (column: String, isDescending: Bool)? {
    sort.map { $0.hasPrefix("-") ? (String($0.dropFirst()), true) : ($0, false) }
  }

  /// The query of a list in the order that is wanted; what is null comes last, and equals stand by their first columns.
  ///
  /// - Parameter hidden: columns that the list does not show as the query has them.
  /// - Throws: `JobError` for a column that the list does not have.
  package func ordered(
    _ file: SQLFile, hiding hidden: Set<String> = [], tx: inout DatabaseTransaction
  ) throws -> SQLFile {
    guard let order else { return file }
    let columns = try tx.columns(of: file)
    let shown = columns.filter { !hidden.contains($0.name) }
    guard let column = shown.first(where: { $0.name == order.column }) else {
      throw Self.unknown(order.column, among: shown.map(\.name))
    }
    let keys = ["\"\(column.name)\"" + Self.collation(column) + (order.isDescending ? " desc" : "") + " nulls last"]
    let rest = columns.prefix(Self.tieColumns).map { "\"\($0.name)\"" + Self.collation($0) }
    return file.ordered(by: (keys + rest).joined(separator: ", "))
  }

  /// First columns of a list that tell its rows apart.
  private static let tieColumns = 3

  private static func collation(_ column: ResultColumn) -> String { column.kind == .text ? " collate \"C\"" : "" }

  private static func unknown(_ column: String, among columns: [String]) -> JobError {
    JobError(
      "could not sort by \"\(column)\": the list has no such column", hint: "It has \(columns.joined(separator: ", ")).",
      status: .usage)
  }

  /// Streams the rows of a list that are wanted.
  ///
  /// - Parameters:
  ///   - computed: column that is worked out row by row, in place of hidden ones.
  ///   - sink: takes the bytes, part by part.
  /// - Returns: how many rows were wanted.
  @discardableResult
  package func stream(
    _ list: SQLFile, _ parameters: [String: Value] = [:], as format: ExportFormat, computed: RowEncoder.Computed? = nil,
    tx: inout DatabaseTransaction, to sink: ([UInt8]) throws -> Void
  ) throws -> Int {
    var encoder = RowEncoder(format: format, computed: computed, isColoured: isColoured, room: terminalWidth)
    let statement = try ordered(list, hiding: computed.map { [$0.column] } ?? [], tx: &tx)
    var chosen = Choice(self)
    _ = try tx.stream(
      statement, parameters,
      columns: {
        encoder.begin(columns: $0)
        chosen.begin(columns: $0)
      },
      row: { row in
        guard chosen.takes(row) else { return }
        try encoder.add(row)
        if encoder.bytes.count >= RowEncoder.flushBytes { try sink(encoder.take()) }
      })
    try sink(encoder.finish())
    return chosen.count
  }

  /// A table that is in memory, as the filter and a form want it.
  ///
  /// - Throws: `JobError` for a column to sort by that the table does not have.
  package func bytes(of table: ReportTable, as format: ExportFormat) throws -> [UInt8] {
    var encoder = RowEncoder(format: format, isColoured: isColoured, room: terminalWidth)
    encoder.begin(columns: table.columns)
    let rows = try sorted(table)
    for row in rows.prefix(rowsMax ?? rows.count) { encoder.add(row, isNumeric: table.isNumeric) }
    return encoder.finish()
  }

  private func sorted(_ table: ReportTable) throws -> [[String?]] {
    guard let order else { return table.rows }
    guard let place = table.columns.firstIndex(of: order.column) else {
      throw Self.unknown(order.column, among: table.columns)
    }
    let isNumeric = table.isNumeric[place]
    let isBefore = { (first: String, second: String) in
      isNumeric ? (Int128(first) ?? 0) < (Int128(second) ?? 0) : first.utf8.lexicographicallyPrecedes(second.utf8)
    }
    return table.rows.filter { $0[place] != nil }.enumerated().sorted { first, second in
      let (one, other) = (first.element[place] ?? "", second.element[place] ?? "")
      if isBefore(one, other) { return !order.isDescending }
      if isBefore(other, one) { return order.isDescending }
      return first.offset < second.offset
    }.map(\.element) + table.rows.filter { $0[place] == nil }
  }

  /// What a filter takes of one list.
  package struct Choice {
    private let filter: RowFilter
    private var places: [(index: Int, words: Set<String>)] = []
    /// Rows taken so far.
    package private(set) var count = 0

    package init(_ filter: RowFilter) { self.filter = filter }

    package mutating func begin(columns: [String]) {
      for (index, column) in columns.enumerated() {
        if let words = filter.words[column] { places.append((index, words)) }
      }
    }

    package mutating func takes(_ row: borrowing TextRow) -> Bool {
      if let rowsMax = filter.rowsMax, count >= rowsMax { return false }
      for place in places {
        guard let bytes = row.bytes(place.index) else { return false }
        let isWanted = bytes.split(separator: UInt8(ascii: " ")).contains {
          place.words.contains(String(decoding: $0, as: UTF8.self))
        }
        guard isWanted else { return false }
      }
      count += 1
      return true
    }
  }
}
