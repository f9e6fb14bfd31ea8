internal import Wording

/// The header line of a report: its columns and the type of the report.
struct FinanceHeader {
  let report: FinanceReport
  let delimiter: UInt8
  /// Column of each cell; nil where it is not read.
  let columns: [FinanceColumn?]
  /// Names as printed.
  let names: [String]
  /// Names unknown to this program.
  let unrecognized: [String]

  /// Minimum number of names that a header shares with a known report.
  private static let namesMin = 3
  /// Columns of a payments file in Apple's order, for headers in another language.
  private static let paymentOrder: [FinanceField] = [
    .region, .units, .earned, .preTaxSubtotal, .inputTax, .adjustments, .withholdingTax, .totalOwed, .exchangeRate,
    .proceeds, .bankCurrency,
  ]

  /// Reads a line as a header. Returns nil when it is none.
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

  /// Reads the header of a payments file with column names in an unknown language, recognised by their count.
  ///
  /// An unpaid month lacks the account's currency, or all columns after the total owed. A balance column may follow the units.
  static func byOrder(_ bytes: ArraySlice<UInt8>, firstRow: [UInt8]?) -> FinanceHeader? {
    for delimiter in FinanceCells.delimiters {
      let cells = filledCells(bytes, by: delimiter)
      // A name with a currency or its name in parentheses, as in "Region (Währung)" or "地域（通貨）".
      guard let first = cells.first, FinanceCells.endsInParentheses(first),
        cells.allSatisfy({ !$0.isEmpty && ExactDecimal($0) == nil })
      else { continue }
      let last = filledCells(firstRow?[...] ?? [], by: delimiter).last?.uppercased() ?? ""
      let ends = FinanceValues.isCurrency(last) ? [FinanceField.bankCurrency] : [.proceeds, .totalOwed, .bankCurrency]
      for end in ends {
        var order = Array(paymentOrder[...(paymentOrder.firstIndex(of: end) ?? 0)])
        if cells.count == order.count + 1 { order.insert(.balance, at: 2) }
        guard cells.count == order.count else { continue }
        let columns = order.map { field in FinanceReport.payments.columns.first { $0.field == field } }
        return FinanceHeader(report: .payments, delimiter: delimiter, columns: columns, names: cells, unrecognized: [])
      }
    }
    return nil
  }

  /// Returns the cells of a line without empty ones at the end.
  private static func filledCells(_ bytes: ArraySlice<UInt8>, by delimiter: UInt8) -> [String] {
    var cells = FinanceCells.split(bytes, by: delimiter) ?? []
    while cells.last == "" { cells.removeLast() }
    return cells
  }

  func isRepeated(by cells: [String]) -> Bool {
    cells.count >= Self.namesMin && zip(cells, names).allSatisfy { FinanceCells.key($0) == FinanceCells.key($1) }
  }
}

extension FinanceHeader {
  private init(_ report: FinanceReport, names: [String], delimiter: UInt8) throws(RowFault) {
    self.report = report
    self.delimiter = delimiter
    self.names = names
    var byName: [String: FinanceColumn] = [:]
    for column in report.columns { for name in column.names { byName[FinanceCells.key(name)] = column } }
    let elsewhere = Set(report.knownElsewhere.map(FinanceCells.key))
    let keys = names.map(FinanceCells.key)
    var columns = keys.map { byName[$0] }
    // The name of the first column of a payments file is in the account's language.
    if report == .payments, let first = keys.first, !first.isEmpty, columns[0] == nil {
      columns[0] = report.columns.first { $0.field == .region }
    }
    self.columns = columns
    unrecognized = names.indices.filter { columns[$0] == nil && !elsewhere.contains(keys[$0]) && !keys[$0].isEmpty }.map { names[$0] }
    let fields = columns.compactMap { $0?.field }
    if let twice = report.columns.first(where: { column in fields.count(where: { $0 == column.field }) > 1 }) {
      throw RowFault(field: twice.names[0], reason: "intake.finance_twice")
    }
    let missing = report.columns.filter { $0.isRequired && !fields.contains($0.field) }.map { "\"\($0.names[0])\"" }
    guard missing.isEmpty else {
      throw RowFault(Phrase("intake.finance_lacks", ["report": .plain(report.rawValue), "list": .plain(missing.joined(separator: ", "))]))
    }
  }
}

extension FinanceReport {
  /// Returns the number of names that are columns of this report.
  fileprivate func matches(_ keys: Set<String>) -> Int {
    let own = columns.filter { column in column.names.contains { keys.contains(FinanceCells.key($0)) } }.count
    return own + knownElsewhere.filter { keys.contains(FinanceCells.key($0)) }.count
  }
}
