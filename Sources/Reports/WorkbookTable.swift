internal import JobCore
internal import Workbooks

/// A table as one sheet of a workbook, or as several if it is too long for one.
final class WorkbookTable {
  /// A column and the conversion of its cells.
  private struct Column {
    var name: String
    var word: ColumnWord
    /// Index of the column with the currency of this column's amounts.
    var currency: Int?
    /// Indices of the columns whose difference this column is.
    var difference: (minuend: Int, subtrahend: Int)?
    /// Whether a cell was written as text because it has more digits than a spreadsheet supports.
    var hasText = false
  }

  /// A sheet with rows of the table.
  struct Part {
    var sheet: Worksheet
    /// Number of rows, including the header.
    var rowCount = 0
    var byteCount = 0
  }

  /// Maximum number of sheets per table: about 20 million rows.
  private static let partsMax = 20
  /// Approximate maximum number of bytes of a sheet's rows. A longer sheet would exceed the limits of a plain ZIP.
  private static let partBytesMax = 2_000_000_000
  /// Maximum number of bytes of the markup of one cell.
  private static let cellBytes = 80
  /// Maximum number of groups of rows with totals. With more groups there are no totals.
  private static let groupsMax = 500
  /// Columns by which totals are grouped, if the table has them. Amounts are also grouped by currency.
  private static let groupColumns = ["scope", "environment", "status", "is_provisional"]

  let name: String
  private unowned let book: ReportWorkbook
  private var columns: [Column] = []
  private var groups: [Int] = []
  private var sums: [WorkbookTotal.Key: ExactSum] = [:]
  private var hasTotals = true
  private(set) var parts: [Part] = []
  /// Index of the part that gets the next row.
  private var last: Int { parts.count - 1 }

  init(name: String, book: ReportWorkbook) {
    self.name = name
    self.book = book
  }

  /// Number of rows without the headers.
  var rowCount: Int { parts.reduce(0) { $0 + max(0, $1.rowCount - 1) } }

  func begin(columns names: [String], differences: [ReportDifference]) throws {
    guard names.count <= Worksheet.columnsMax else { throw book.failure("\(name) has \(names.count) columns") }
    columns = names.map { column in
      let word = book.words.word(column, in: name)
      let difference = differences.first { $0.column == column }.flatMap { rule in
        names.firstIndex(of: rule.minuend).flatMap { left in names.firstIndex(of: rule.subtrahend).map { (left, $0) } }
      }
      return Column(name: column, word: word, currency: word.currencyColumn.flatMap(names.firstIndex(of:)), difference: difference)
    }
    groups = Self.groupColumns.compactMap(names.firstIndex(of:))
    try addPart()
  }

  func add(_ cells: [String?]) throws {
    if parts[last].rowCount >= book.sheetRows || parts[last].byteCount >= Self.partBytesMax { try addPart() }
    let (sheet, row) = (parts[last].sheet, parts[last].rowCount)
    var byteCount = 0
    do throws(WorkbookError) {
      for (place, cell) in cells.enumerated() {
        guard let cell, !cell.isEmpty else { continue }
        byteCount += cell.utf8.count + Self.cellBytes
        try write(cell, cells, to: sheet, row: row, place: place)
      }
    } catch {
      throw book.failure(error.description)
    }
    parts[last].rowCount += 1
    parts[last].byteCount += byteCount
    add(toTotals: cells)
  }

  func end() throws {
    do throws(WorkbookError) {
      for part in parts {
        try part.sheet.finishHead(rowCount: max(2, part.rowCount), columnCount: columns.count)
      }
    } catch {
      throw book.failure(error.description)
    }
  }

  private func addPart() throws {
    guard parts.count < Self.partsMax else {
      throw book.failure("\(name) has more rows than \(Self.partsMax) sheets of \(book.sheetRows) can hold; take it as CSV")
    }
    do throws(WorkbookError) {
      let title = book.sheetName(name)
      var part = Part(sheet: try book.workbook.addSheet(parts.isEmpty ? title : "\(title) (\(parts.count + 1))"))
      for (place, column) in columns.enumerated() {
        try part.sheet.setWidth(Self.width(column), column: place)
        try part.sheet.write(Self.title(column.name, column.word), row: 0, column: place, format: book.headFormat)
      }
      part.rowCount = 1
      parts.append(part)
    } catch {
      throw book.failure(error.description)
    }
  }

  // MARK: Cells

  /// Returns the title of a column in a sheet. Amounts are in units of their currency, so `_milliunits` is removed.
  static func title(_ column: String, _ word: ColumnWord) -> String {
    let ending = "_milliunits"
    return word.currencyColumn != nil && column.hasSuffix(ending) ? String(column.dropLast(ending.count)) : column
  }

  private static func width(_ column: Column) -> Double {
    switch column.word.kind {
    case .boolean, .date: return 12
    case .integer, .number: return Double(max(12, min(column.name.utf8.count, 24)))
    case .datetime: return 20
    case .string:
      if ["detail", "formula", "runbook", "reasons", "message"].contains(column.name) { return 60 }
      return column.name.hasSuffix("_id") || column.name.hasSuffix("sha256") ? 26 : 16
    }
  }

  private func write(_ cell: String, _ cells: [String?], to sheet: Worksheet, row: Int, place: Int) throws(WorkbookError) {
    let column = columns[place]
    let currency = column.currency.flatMap { cells[$0] }
    guard let value = WorkbookValue(cell, column.word, currency: currency) else {
      if column.word.adds { columns[place].hasText = true }
      return try sheet.write(cell, row: row, column: place)
    }
    switch value {
    case .flag(let flag): try sheet.write(flag, row: row, column: place)
    case .number(let number, let format):
      let style = try book.workbook.format(CellStyle(numberFormat: format))
      guard let difference = column.difference, isNumber(cells, difference.minuend), isNumber(cells, difference.subtrahend)
      else { return try sheet.write(number, row: row, column: place, format: style) }
      let sides = [difference.minuend, difference.subtrahend].map { CellPlace.text(row: row, column: $0) }
      try sheet.write(formula: "=\(sides[0])-\(sides[1])", value: number, row: row, column: place, format: style)
    }
  }

  private func isNumber(_ cells: [String?], _ place: Int) -> Bool {
    guard let cell = cells[place], case .number? = WorkbookValue(cell, columns[place].word, currency: nil) else { return false }
    return true
  }

  // MARK: Totals

  private func add(toTotals cells: [String?]) {
    guard hasTotals else { return }
    let group = groups.map { cells[$0] ?? "" }
    for (place, column) in columns.enumerated() where column.word.adds {
      guard let cell = cells[place], !cell.isEmpty else { continue }
      let currency = column.currency.map { cells[$0] ?? "" }
      sums[WorkbookTotal.Key(place: place, group: group, currency: currency), default: ExactSum()].add(cell)
    }
    // This happens if every row has another currency, for example.
    if sums.count > Self.groupsMax * columns.count { hasTotals = false }
  }

  /// The totals of each column that may be added up, by group and currency; empty if there are too many groups.
  var totals: [WorkbookTotal] {
    guard hasTotals, rowCount > 0 else { return [] }
    return sums.keys.sorted().compactMap { key in
      // A column with a text cell has no exact sum.
      guard let sum = sums[key], sum.isExact else { return nil }
      let column = columns[key.place]
      var conditions = zip(groups, key.group).map { WorkbookTotal.Condition(column: columns[$0].name, place: $0, value: $1) }
      if let currency = key.currency, let place = column.currency {
        conditions.append(.init(column: "currency", place: place, value: currency))
      }
      return WorkbookTotal(
        table: name, title: Self.title(column.name, column.word), place: key.place, conditions: conditions,
        sum: sum.text, word: column.word, currency: key.currency, isComputed: !column.hasText)
    }
  }

  /// Dictionary entries of the columns with their titles in the sheet.
  var described: [(title: String, word: ColumnWord)] { columns.map { (Self.title($0.name, $0.word), $0.word) } }
}
