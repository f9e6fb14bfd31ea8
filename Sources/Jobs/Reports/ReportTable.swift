internal import Postgres

/// A result set held in memory, its cells as PostgreSQL writes them; only for results whose size is bounded.
struct ReportTable: Sendable {
  /// Rows that one table of a report may have; more slices, classes or inputs mean a query without grain.
  static let rowsMax = 100_000

  var columns: [String] = []
  /// Which columns JSON writes bare.
  var isNumeric: [Bool] = []
  var rows: [[String?]] = []

  /// Runs a statement of sql/reports and gathers its rows.
  ///
  /// - Throws: `JobError` when there are more than `rowsMax` of them.
  static func read(
    _ path: String, _ parameters: [String: Value], files: SQLFiles, tx: inout Transaction
  ) throws -> ReportTable {
    var table = ReportTable()
    _ = try tx.stream(
      files(path), parameters, columns: { table.columns = $0 },
      row: { row in
        table.isNumeric = row.numericColumns
        guard table.rows.count < rowsMax else {
          throw JobError("could not gather \"\(path)\" for a report: it has more than \(rowsMax) rows")
        }
        table.rows.append(row.texts)
      })
    return table
  }

  /// Rows with their cells by name.
  var records: [ReportRecord] {
    let index = Dictionary(columns.enumerated().map { ($1, $0) }) { first, _ in first }
    return rows.map { ReportRecord(index: index, cells: $0) }
  }
}

/// One row whose cells are found by name.
struct ReportRecord: Sendable {
  let index: [String: Int]
  let cells: [String?]

  /// Text of a cell; nil for null and for a column that is not there.
  subscript(name: String) -> String? { index[name].flatMap { cells[$0] } }

  func text(_ name: String) -> String { self[name] ?? "" }

  /// Whole number of a cell; 0 for null.
  func int(_ name: String) -> Int128 { self[name].flatMap { Int128($0) } ?? 0 }
}

extension TextRow {
  var texts: [String?] { (0..<count).map { bytes($0).map { String(decoding: $0, as: UTF8.self) } } }

  var numericColumns: [Bool] { (0..<count).map { isNumeric($0) } }
}
