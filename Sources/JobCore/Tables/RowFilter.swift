internal import Domain
internal import FoundationEssentials
package import Postgres

/// A filter for rows of a list: rows with one of the words in each column, in an order, up to a maximum number.
public struct RowFilter: Sendable {
  private var words: [String: Set<ByteText>] = [:]
  public var rowsMax: Int?
  /// Column by which the rows are sorted, with `-` before it for descending order; nil for the list's own order.
  public var sort: String?
  /// Columns by which a list sorts its rows, if a limit keeps the last rows of that order; empty if it keeps the first.
  public var lastBy: [String] = []
  public var isColoured = false
  /// Width of the terminal in columns; nil if the list is not for a terminal.
  public var terminalWidth: Int?

  public init() {}

  /// Selects rows with one of some words in a column, whose cells may contain several words separated by spaces. An empty list selects
  /// every row.
  public mutating func want(_ wanted: [String], in column: String) {
    if !wanted.isEmpty { words[column] = Set(wanted.map { ByteText($0) }) }
  }

  private var order: (column: String, isDescending: Bool)? {
    sort.map { $0.hasPrefix("-") ? (String($0.dropFirst()), true) : ($0, false) }
  }

  /// Returns the query of a list in the requested order. Nulls come last; equal rows are sorted by their first columns.
  /// Without a requested order, a limit on a list with `lastBy` keeps the last rows.
  ///
  /// - Parameter hidden: columns of the query that the list does not show.
  /// - Throws: `JobError` if the list has no such column.
  package func ordered(_ file: SQLFile, hiding hidden: Set<String> = [], tx: inout DatabaseTransaction) throws -> SQLFile {
    guard let order else {
      guard let rowsMax, !lastBy.isEmpty else { return file }
      return file.last(rowsMax, by: lastBy)
    }
    let columns = try tx.columns(of: file)
    let shown = columns.filter { !hidden.contains($0.name) }
    guard let column = shown.first(where: { $0.name == order.column }) else {
      throw Self.unknown(order.column, among: shown.map(\.name))
    }
    let keys = [Self.key(column) + (order.isDescending ? " desc" : "") + " nulls last"]
    let rest = columns.prefix(Self.tieColumns).map(Self.key)
    return file.ordered(by: (keys + rest).joined(separator: ", "))
  }

  /// Number of first columns that distinguish the rows of a list.
  private static let tieColumns = 3

  /// Returns the expression that sorts rows as the list shows the column: a phrase by its English text.
  private static func key(_ column: ResultColumn) -> String {
    let name = "\"\(column.name)\""
    if column.isJSON { return "payrecon.english(\(name)) collate \"C\"" }
    return column.kind == .text ? "\(name) collate \"C\"" : name
  }

  private static func unknown(_ column: String, among columns: [String]) -> JobError {
    JobError(
      "could not sort by \"\(column)\": the list has no such column", hint: "It has \(columns.joined(separator: ", ")).",
      status: .usage)
  }

  /// Streams the selected rows of a list.
  @discardableResult
  package func stream(
    _ list: SQLFile, _ parameters: [String: Value] = [:], as format: ExportFormat, computed: RowEncoder.Computed? = nil,
    tx: inout DatabaseTransaction, to sink: ([UInt8]) throws -> Void
  ) throws -> Int {
    var encoder = RowEncoder(format: format, computed: computed, isColoured: isColoured, room: terminalWidth)
    let statement = try ordered(list, hiding: computed.map { [$0.column] } ?? [], tx: &tx)
    var wanted: [(index: Int, words: Set<ByteText>)] = []
    var count = 0
    _ = try tx.stream(
      statement, parameters,
      columns: { columns in
        encoder.begin(columns: columns)
        wanted = columns.enumerated().compactMap { index, column in words[column].map { (index, $0) } }
      },
      row: { row in
        guard count < rowsMax ?? .max, Self.hasWords(row, wanted) else { return }
        count += 1
        try encoder.add(row)
        if encoder.bytes.count >= RowEncoder.flushBytes { try sink(encoder.take()) }
      })
    try sink(encoder.finish())
    return count
  }

  private static func hasWords(_ row: borrowing TextRow, _ wanted: [(index: Int, words: Set<ByteText>)]) -> Bool {
    for (index, words) in wanted {
      let found = row.bytes(index)?.split(separator: UInt8(ascii: " ")).contains {
        words.contains(ByteText(String(decoding: $0, as: UTF8.self)))
      }
      guard found == true else { return false }
    }
    return true
  }

  /// Returns a table from memory in a format, sorted and limited by the filter.
  ///
  /// - Throws: `JobError` if the table has no column of the requested order.
  package func bytes(of table: ReportTable, as format: ExportFormat) throws -> [UInt8] {
    var encoder = RowEncoder(format: format, isColoured: isColoured, room: terminalWidth)
    encoder.begin(columns: table.columns)
    let rows = try sorted(table)
    for row in rows.prefix(rowsMax ?? rows.count) { encoder.add(row, isNumeric: table.isNumeric) }
    return encoder.finish()
  }

  private func sorted(_ table: ReportTable) throws -> [[String?]] {
    guard let order else { return table.rows }
    guard let place = table.columns.firstIndex(of: order.column) else { throw Self.unknown(order.column, among: table.columns) }
    let isNumeric = table.isNumeric[place]
    let isBefore = { (first: String, second: String) in
      isNumeric ? (Decimal(string: first) ?? 0) < (Decimal(string: second) ?? 0) : first.utf8.lexicographicallyPrecedes(second.utf8)
    }
    return table.rows.filter { $0[place] != nil }.enumerated().sorted { first, second in
      let (one, other) = (first.element[place] ?? "", second.element[place] ?? "")
      if isBefore(one, other) { return !order.isDescending }
      if isBefore(other, one) { return order.isDescending }
      return first.offset < second.offset
    }.map(\.element) + table.rows.filter { $0[place] == nil }
  }
}
