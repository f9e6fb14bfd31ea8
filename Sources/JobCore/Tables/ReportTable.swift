package import Domain
package import Postgres
package import Wording

/// A result set in memory, with cells in PostgreSQL's text format; cells of type jsonb are phrases, in English. It is only for results of
/// bounded size.
package struct ReportTable: Sendable {
  /// Maximum number of rows of a report's table. More rows mean that a query has the wrong grain.
  package static let rowsMax = 100_000

  package var columns: [String] = []
  /// By column: whether JSON writes its cells without quotes.
  package var isNumeric: [Bool] = []
  package var rows: [[String?]] = []
  /// The phrases of cells, by column and English text.
  package var phrases: [String: [String: Phrase]] = [:]
  package var differences: [ReportDifference] = []
  package var isTruncated = false

  package init(columns: [String] = [], isNumeric: [Bool] = [], rows: [[String?]] = [], differences: [ReportDifference] = []) {
    self.columns = columns
    self.isNumeric = isNumeric
    self.rows = rows
    self.differences = differences
  }

  /// Creates a table whose first columns are texts and the others figures.
  package init(keys: [String], figures: [String], rows: [[String?]], differences: [ReportDifference] = []) {
    let isNumeric = keys.map { _ in false } + figures.map { _ in true }
    self.init(columns: keys + figures, isNumeric: isNumeric, rows: rows, differences: differences)
  }

  package static func read(
    _ statement: Listing, _ parameters: [String: Value] = [:], files: SQLFiles, tx: inout DatabaseTransaction
  ) throws -> ReportTable {
    var table = ReportTable()
    _ = try tx.stream(
      files(statement), parameters, columns: { table.columns = $0 },
      row: { row in
        table.isNumeric = row.numericColumns
        guard table.rows.count < rowsMax else {
          throw JobError("could not gather \"\(statement.path)\" for a report: it has more than \(rowsMax) rows")
        }
        try table.add(row)
      })
    return table
  }

  /// Adds a row of a result with the table's columns.
  package mutating func add(_ row: borrowing TextRow) throws {
    var cells = row.texts
    for column in cells.indices where row.isJSON(column) {
      guard let phrase = try cells[column].map(Phrase.init(json:)) else { continue }
      phrases[columns[column], default: [:]][phrase.english] = phrase
      cells[column] = phrase.english
    }
    rows.append(cells)
  }

  package func phrase(_ column: String, _ text: String) -> Phrase { phrases[column]?[text] ?? .plain(text) }

  package var records: [ReportRecord] {
    let index = Dictionary(columns.enumerated().map { ($1, $0) }) { first, _ in first }
    return rows.map { ReportRecord(index: index, cells: $0) }
  }
}

package struct ReportRecord: Sendable {
  let index: [String: Int]
  let cells: [String?]

  package init(index: [String: Int], cells: [String?]) {
    self.index = index
    self.cells = cells
  }

  package init(columns: [String], cells: [String?]) {
    self.init(index: Dictionary(uniqueKeysWithValues: zip(columns, 0...)), cells: cells)
  }

  /// Text of a cell; nil for null.
  ///
  /// - Throws: `JobError` if the row has no such column, so that a misspelt name does not read as 0.
  package subscript(name: String) -> String? {
    get throws {
      guard let place = index[name] else {
        throw JobError("could not read column \"\(name)\" of a row: it has \(index.keys.sorted().joined(separator: ", "))")
      }
      return cells[place]
    }
  }

  package func text(_ name: String) throws -> String { try self[name] ?? "" }

  /// Returns the Boolean of a cell; nil for null.
  package func flag(_ name: String) throws -> Bool? { try self[name].map { $0 == "t" } }

  /// Returns the whole number of a cell; 0 for null.
  package func int(_ name: String) throws -> Int128 {
    guard let text = try self[name] else { return 0 }
    guard let number = Int128(text) else {
      throw JobError("could not read column \"\(name)\" of a row: \"\(text)\" is no whole number")
    }
    return number
  }

  package func instant(_ name: String) throws -> Timestamp {
    let text = try text(name)
    guard let instant = Timestamp(rfc3339: text) else {
      throw JobError("could not read column \"\(name)\" of a row: \"\(text)\" is no instant")
    }
    return instant
  }

  package func sum(_ names: [String]) throws -> Int128 { try names.reduce(0) { try $0 + int($1) } }
}

extension Sequence<ReportRecord> {
  package func sum(_ column: String) throws -> Int128 { try reduce(0) { try $0 + $1.int(column) } }
}

/// A column whose value is the difference of two others.
package typealias ReportDifference = (column: String, minuend: String, subtrahend: String)

extension TextRow {
  package var texts: [String?] { (0..<count).map { bytes($0).map { String(decoding: $0, as: UTF8.self) } } }

  /// The cells with phrases in English.
  package var englishTexts: [String?] {
    get throws {
      var cells = texts
      for column in cells.indices where isJSON(column) { cells[column] = try cells[column].map { try Phrase(json: $0).english } }
      return cells
    }
  }

  package var numericColumns: [Bool] { (0..<count).map { isNumeric($0) } }
}
