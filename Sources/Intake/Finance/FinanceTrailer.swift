internal import Wording

/// The totals after a report's rows, compared with the sums of the rows.
struct FinanceTrailer {
  private let report: FinanceReport
  private var totalsLine: Int?
  private var rowCount = 0
  /// Sum of the rows as printed; `amount` and `units` count every return as negative.
  private var printed = ExactDecimal.zero
  private var amount = ExactDecimal.zero
  private var units = ExactDecimal.zero
  /// Number of rows whose amount differs from units times share, and a description of the first.
  private var unequal: (count: Int, first: String) = (0, "")
  /// Rows with money but without customer price or currency: count per missing field, and line of the first.
  private var priceless: [FinanceField: (count: Int, first: Int)] = [:]
  private var payments: PaymentTrailer
  private var statedRows: Int?
  private var statedAmount: ExactDecimal?
  private var statedUnits: ExactDecimal?
  /// Sums of the rows by country and currency, which are compared with the printed summary.
  private var sums: [String: (units: ExactDecimal, amount: ExactDecimal)] = [:]
  private var summaries: [(place: String, units: ExactDecimal, amount: ExactDecimal, line: Int)] = []
  private var isSummary = false
  private var summaryOrder: [Int] = []

  init(_ header: FinanceHeader) {
    report = header.report
    payments = PaymentTrailer(header.columns)
  }

  var line: Int? { totalsLine ?? payments.line }

  /// Whether the trailer proves that no row is missing; `check` compares it with the rows.
  var provesCompleteness: Bool {
    switch report {
    case .financial: true
    case .financeDetail: isSummary || statedRows != nil
    case .payments: payments.provesCompleteness
    case .sales, .subscriber, .subscriptionEvent, .bank: false
    }
  }

  mutating func add(_ row: FinanceRow) throws(RowFault) {
    if let totalsLine { throw RowFault(Phrase("intake.finance_behind", ["line": .plain(totalsLine)])) }
    rowCount += 1
    if report == .payments { try payments.add(row) }
    guard report == .financial || report == .financeDetail else { return }
    let value = row.decimal(.extendedPartnerShare) ?? .zero
    let count = row.decimal(.quantity) ?? .zero
    let signed = row.signed.decimal(.extendedPartnerShare) ?? .zero
    printed = try Self.sum(printed, value)
    amount = try Self.sum(amount, signed)
    units = try Self.sum(units, count)
    addUnequal(row, count, value)
    addPriceless(row, value)
    guard report == .financeDetail else { return }
    let place = "\(row[.countryOfSale] ?? "") \(row[.partnerShareCurrency] ?? "")"
    let known = sums[place] ?? (.zero, .zero)
    sums[place] = (try Self.sum(known.units, count), try Self.sum(known.amount, signed))
  }

  /// Counts a row whose amount differs from its units times its share by more than rounding.
  private mutating func addUnequal(_ row: FinanceRow, _ units: ExactDecimal, _ amount: ExactDecimal) {
    let isReturn = row[.saleOrReturn] == "R" || units.isNegative
    guard let share = row.decimal(.partnerShare), let product = units.magnitude.times(share.magnitude),
      let missing = amount.adding(isReturn ? product : product.negated)?.magnitude,
      let tolerance = units.magnitude.times(share.halfOfLastDigit)?.adding(amount.halfOfLastDigit),
      let rest = tolerance.adding(missing.negated), rest.isNegative
    else { return }
    let kind = row[.saleOrReturn] == "R" ? "a return (R) of " : ""
    if unequal.count == 0 { unequal.first = "line \(row.line): \(kind)\(units) units at \(share), and \(amount)" }
    unequal.count += 1
  }

  /// Counts a row with money but without a customer price or currency.
  private mutating func addPriceless(_ row: FinanceRow, _ amount: ExactDecimal) {
    for field in [FinanceField.customerPrice, .customerCurrency] where row[field] == nil && !amount.equals(.zero) {
      let known = priceless[field] ?? (0, row.line)
      priceless[field] = (known.count + 1, known.first)
    }
  }

  /// Warnings about rows without a customer price or currency.
  private var pricelessWarnings: [String] {
    [FinanceField.customerPrice, .customerCurrency].compactMap { field in
      guard let (count, first) = priceless[field] else { return nil }
      let name = report.columns.first { $0.field == field }?.names[0] ?? ""
      return "\(count) \(count == 1 ? "row that brings money has" : "rows that bring money have") no \(name), the first in line \(first)"
        + (field == .customerPrice ? "; it counts as a price of 0" : "")
    }
  }

  static func sum(_ left: ExactDecimal, _ right: ExactDecimal) throws(RowFault) -> ExactDecimal {
    guard let sum = left.adding(right) else { throw RowFault("intake.finance_sum_digits") }
    return sum
  }

  /// Processes a line after the rows.
  ///
  /// - Returns: false when the line is a row.
  mutating func take(_ cells: [String], line: Int) throws(RowFault) -> Bool {
    switch report {
    case .financial: return try takeTotal(cells, line: line)
    case .financeDetail:
      if try takeSummary(cells, line: line) { return true }
      return try takeTotal(cells, line: line)
    case .payments: return payments.take(cells, line: line)
    case .sales, .subscriber, .subscriptionEvent, .bank: return false
    }
  }

  private mutating func takeTotal(_ cells: [String], line: Int) throws(RowFault) -> Bool {
    // `Total_Rows<TAB>12`; a few files write `Total_Rows: 12`.
    let words = cells.flatMap { $0.split { $0 == ":" || $0 == "\t" } }.map { FinanceValues.trimmed(String($0)) }.filter { !$0.isEmpty }
    guard let name = words.first.map(FinanceCells.key), ["totalrows", "totalamount", "totalunits"].contains(name) else {
      return false
    }
    totalsLine = totalsLine ?? line
    guard words.count == 2, let value = ExactDecimal(words[1]) else {
      throw RowFault(field: words[0], reason: "intake.finance_no_number")
    }
    switch name {
    case "totalrows": statedRows = value.isWhole ? Int(value.description.prefix { $0 != "." }) : nil
    case "totalamount": statedAmount = value
    default: statedUnits = value
    }
    return true
  }

  private mutating func takeSummary(_ cells: [String], line: Int) throws(RowFault) -> Bool {
    let keys = cells.map(FinanceCells.key)
    let names = ["countryofsale", "partnersharecurrency", "quantity", "extendedpartnershare"]
    let order = names.compactMap { keys.firstIndex(of: $0) }
    if !isSummary, order.count == names.count, !keys.contains("transactiondate") {
      isSummary = true
      summaryOrder = order
      totalsLine = line
      return true
    }
    guard isSummary else { return false }
    let values = summaryOrder.map { $0 < cells.count ? cells[$0] : "" }
    // A grand total without a country.
    guard !values[0].isEmpty, !values[1].isEmpty else { return true }
    guard let units = ExactDecimal(values[2]) else { throw RowFault(field: "Quantity", reason: "intake.finance_summary_number") }
    guard let amount = ExactDecimal(values[3]) else {
      throw RowFault(field: "Extended Partner Share", reason: "intake.finance_summary_number")
    }
    summaries.append(("\(values[0].uppercased()) \(values[1].uppercased())", units, amount, line))
    return true
  }

  /// Compares the printed totals with the rows.
  mutating func check(_ summary: inout FinanceSummary) throws(RowFault) {
    if unequal.count > 0 {
      summary.warnings.append(
        "\(unequal.count) \(unequal.count == 1 ? "row has" : "rows have") another Extended Partner Share than Quantity x Partner Share, "
          + "the first in \(unequal.first)")
    }
    summary.warnings += pricelessWarnings
    switch report {
    case .financial: try checkTotals(&summary)
    case .financeDetail:
      try checkSummary(&summary)
      if statedRows != nil { try checkTotals(&summary) }
    case .payments: try payments.check(&summary)
    case .sales, .subscriber, .subscriptionEvent, .bank: break
    }
  }

  private func checkTotals(_ summary: inout FinanceSummary) throws(RowFault) {
    guard let statedRows else {
      throw RowFault(field: "Total_Rows", reason: Phrase("intake.finance_without", ["count": .plain(rowCount)]))
    }
    guard statedRows == rowCount else {
      throw RowFault(
        field: "Total_Rows", reason: Phrase("intake.finance_row_count", ["stated": .plain(statedRows), "count": .plain(rowCount)]))
    }
    if let statedAmount, !statedAmount.equals(amount) {
      let figures: [String: Phrase] = ["stated": .plain("\(statedAmount)"), "amount": .plain("\(amount)")]
      throw RowFault(
        field: "Total_Amount",
        reason: statedAmount.equals(printed)
          ? Phrase("intake.finance_returns_income", figures) : Phrase("intake.finance_rows_come", figures))
    }
    if let statedUnits {
      summary.totals.append("Total_Units \(statedUnits)")
      if !statedUnits.equals(units) {
        summary.warnings.append("Total_Units is \(statedUnits), and the quantities of the rows come to \(units)")
      }
    }
    summary.totals += ["Total_Rows \(statedRows)"] + (statedAmount.map { ["Total_Amount \($0)"] } ?? [])
  }

  private func checkSummary(_ summary: inout FinanceSummary) throws(RowFault) {
    guard isSummary else {
      if rowCount == 0, statedRows == nil {
        throw RowFault("intake.finance_no_row")
      }
      summary.warnings.append("no summary by country stands behind the rows, so nothing but them says that the file is whole")
      return
    }
    for entry in summaries {
      let own = sums[entry.place] ?? (.zero, .zero)
      guard entry.amount.equals(own.amount) else {
        throw RowFault(
          field: "Extended Partner Share",
          reason: Phrase(
            "intake.finance_summary",
            [
              "place": .plain(entry.place), "line": .plain(entry.line), "stated": .plain("\(entry.amount)"),
              "amount": .plain("\(own.amount)"),
            ]))
      }
      if !entry.units.equals(own.units) {
        summary.warnings.append("the summary of \(entry.place) counts \(entry.units) units, and its rows \(own.units)")
      }
    }
    let missing = Set(sums.keys).subtracting(summaries.map(\.place)).sorted()
    guard missing.isEmpty else {
      throw RowFault(
        field: "Country Of Sale", reason: Phrase("intake.finance_summary_lacks", ["list": .plain(missing.joined(separator: ", "))]))
    }
  }
}
