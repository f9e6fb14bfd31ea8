/// The line of a report that names its columns, and what it says the report is.
struct FinanceHeader {
  let report: FinanceReport
  let delimiter: UInt8
  /// Column of each cell; nil where it is not read.
  let columns: [FinanceColumn?]
  /// Names as they are printed.
  let names: [String]
  /// Names that this program does not know.
  let unrecognized: [String]

  /// Names that a line must share with a report before it is taken for its header.
  private static let namesMin = 3
  /// Columns of a payments file in Apple's order, for headers in another language.
  private static let paymentOrder: [FinanceField] = [
    .region, .units, .earned, .preTaxSubtotal, .inputTax, .adjustments, .withholdingTax, .totalOwed, .exchangeRate,
    .proceeds, .bankCurrency,
  ]

  /// The header that a line is; nil when it is none.
  ///
  /// - Throws: `RowFault` naming every column that is missing or repeated.
  static func read(_ bytes: ArraySlice<UInt8>) throws(RowFault) -> FinanceHeader? {
    var best: (report: FinanceReport, cells: [String], delimiter: UInt8, score: Int)?
    for delimiter in FinanceCells.delimiters {
      guard let cells = FinanceCells.split(bytes, by: delimiter), cells.count >= namesMin else { continue }
      let keys = Set(cells.map(FinanceCells.key))
      for report in FinanceReport.allCases {
        let score = report.matches(keys)
        if score > best?.score ?? (namesMin - 1) { best = (report, cells, delimiter, score) }
      }
    }
    guard let best else { return nil }
    return try FinanceHeader(best.report, names: best.cells, delimiter: best.delimiter)
  }

  /// The header of a payments file whose columns are named in a language that nobody knows here, recognised by their count. A month that
  /// is not paid yet lacks the account's currency, or all that follows the total owed; a balance may stand behind the units.
  static func byOrder(_ bytes: ArraySlice<UInt8>, firstRow: [UInt8]?) -> FinanceHeader? {
    for delimiter in FinanceCells.delimiters {
      let cells = trimmedCells(bytes, by: delimiter)
      // A name, then a currency or its name in parentheses, as in "Region (Währung)" or "地域（通貨）".
      guard let first = cells.first, FinanceCells.endsInParentheses(first),
        cells.allSatisfy({ !$0.isEmpty && ExactDecimal($0) == nil })
      else { continue }
      let last = trimmedCells(firstRow?[...] ?? [], by: delimiter).last?.uppercased() ?? ""
      let ends = FinanceValues.isCurrency(last) ? [FinanceField.bankCurrency] : [.proceeds, .totalOwed, .bankCurrency]
      for end in ends {
        var order = Array(paymentOrder[...(paymentOrder.firstIndex(of: end) ?? 0)])
        if cells.count == order.count + 1 { order.insert(.balance, at: 2) }
        if cells.count == order.count { return FinanceHeader(order: order, names: cells, delimiter: delimiter) }
      }
    }
    return nil
  }

  /// Cells of a line without those behind the last one that has a value.
  private static func trimmedCells(_ bytes: ArraySlice<UInt8>, by delimiter: UInt8) -> [String] {
    var cells = FinanceCells.split(bytes, by: delimiter)?.map(FinanceValues.trimmed) ?? []
    while cells.last == "" { cells.removeLast() }
    return cells
  }

  private init(order: [FinanceField], names: [String], delimiter: UInt8) {
    report = .payments
    self.delimiter = delimiter
    self.names = names
    let known = FinanceReport.payments.columns
    columns = order.map { field in known.first { $0.field == field } }
    unrecognized = []
  }

  private init(_ report: FinanceReport, names: [String], delimiter: UInt8) throws(RowFault) {
    self.report = report
    self.delimiter = delimiter
    self.names = names.map(FinanceValues.trimmed)
    var byName: [String: FinanceColumn] = [:]
    for column in report.columns { for name in column.names { byName[FinanceCells.key(name)] = column } }
    let elsewhere = Set(report.knownElsewhere.map(FinanceCells.key))
    let keys = names.map(FinanceCells.key)
    var columns = keys.map { byName[$0] }
    // The name of the first column of payments is in the language of the account.
    if report == .payments, let first = keys.first, !first.isEmpty, columns[0] == nil {
      columns[0] = report.columns.first { $0.field == .region }
    }
    self.columns = columns
    unrecognized = zip(zip(self.names, keys), columns).filter { name, column in
      column == nil && !elsewhere.contains(name.1) && !name.1.isEmpty
    }.map(\.0.0)
    let fields = columns.compactMap { $0?.field }
    if let twice = report.columns.first(where: { column in fields.count(where: { $0 == column.field }) > 1 }) {
      throw RowFault(field: twice.names[0], reason: "the header names it twice")
    }
    let missing = report.columns.filter { $0.isRequired && !fields.contains($0.field) }.map { "\"\($0.names[0])\"" }
    guard missing.isEmpty else {
      throw RowFault(
        field: "", reason: "the header of this \(report.rawValue) report lacks \(missing.joined(separator: ", "))")
    }
  }

  /// Whether a line repeats this header.
  func isRepeated(by cells: [String]) -> Bool {
    cells.count >= Self.namesMin && zip(cells, names).allSatisfy { FinanceCells.key($0) == FinanceCells.key($1) }
  }
}

extension FinanceReport {
  /// Columns of this report among some names.
  fileprivate func matches(_ keys: Set<String>) -> Int {
    let own = columns.filter { column in column.names.contains { keys.contains(FinanceCells.key($0)) } }.count
    return own + knownElsewhere.filter { keys.contains(FinanceCells.key($0)) }.count
  }
}
