internal import Wording

/// Totals and accounts after the rows of a payments file.
struct PaymentTrailer {
  /// A printed total with the currency of its line.
  private struct Total {
    let amount: ExactDecimal
    let currency: String?
    let line: Int
  }

  private let columns: [FinanceColumn?]
  private var totals: [Total] = []
  private var accounts: [String] = []
  /// Proceeds of the rows above the first blank line by bank currency; `all` has those of all rows. The key is "" for rows without a
  /// currency.
  private var paid: [String: ExactDecimal] = [:]
  private var all: [String: ExactDecimal] = [:]
  private var warnings: [String] = []

  init(_ columns: [FinanceColumn?]) { self.columns = columns }

  var line: Int? { totals.first?.line }

  /// Whether every paid currency has a total, so that a missing row would be noticed.
  var provesCompleteness: Bool { !totals.isEmpty && untotalled.isEmpty }

  /// Whether the month is only an estimate: Apple converts the money, but names no paid account.
  private var isEstimate: Bool { accounts.isEmpty && (!all.isEmpty || !columns.contains { $0?.field == .proceeds }) }

  /// Currencies of rows without a total.
  private var untotalled: [String] {
    totals.contains { $0.currency == nil } ? [] : all.keys.filter { key in !totals.contains { $0.currency == key } }.sorted()
  }

  mutating func add(_ row: FinanceRow) throws(RowFault) {
    guard let proceeds = row.decimal(.proceeds) else { return }
    let currency = row[.bankCurrency] ?? ""
    all[currency] = try FinanceTrailer.sum(all[currency] ?? .zero, proceeds)
    if row.isInFirstBlock { paid[currency] = try FinanceTrailer.sum(paid[currency] ?? .zero, proceeds) }
  }

  /// Processes a total, an account, or a note.
  ///
  /// - Returns: false when the line is a row of a region.
  mutating func take(_ values: [String], line: Int) -> Bool {
    let texts = values.filter { !$0.isEmpty }
    if let account = texts.first(where: PaymentAccount.isNamed) {
      accounts.append(account)
      return true
    }
    guard !isPayment(values) else { return false }
    if let total = total(values, line: line) {
      if !totals.contains(where: { $0.currency == total.currency }) { totals.append(total) }
    } else if texts.count == 1, let text = texts.first {
      if PaymentAccount.isMasked(text) {
        accounts.append(text)
      } else {
        warnings.append("line \(line) is \(FinanceValues.quoted(text)), which is not known to name an account")
      }
    }
    return true
  }

  /// Returns the last amount of a line, with the currency from its cell or a separate cell.
  private func total(_ values: [String], line: Int) -> Total? {
    let known = all.count == 1 ? all.keys.first ?? "" : ""
    let named = values.last { FinanceValues.isCurrency($0.uppercased()) }?.uppercased()
    let amounts = values.compactMap { value -> Total? in
      let parts = PaymentAmount.split(value)
      let currency = parts.currency ?? named
      let mark = currency ?? known
      guard let amount = mark.isEmpty ? ExactDecimal(parts.number) : FinanceValues.money(parts.number, currency: mark) else { return nil }
      return Total(amount: amount, currency: currency, line: line)
    }
    return amounts.last
  }

  /// Returns whether a line is a region's row, even if badly named. A region names a currency, or has more amounts than a total, which
  /// covers only paid money. A total without a name may be shifted by one column.
  private func isPayment(_ values: [String]) -> Bool {
    if values[0].contains(where: { $0 == "(" || $0 == "（" }) { return true }
    let parts = zip(columns, values).count { $0?.kind == .money && $0?.field != .proceeds && !$1.isEmpty }
    return parts > (values[0].isEmpty || PaymentAmount.split(values[0]).currency != nil ? 1 : 0)
  }

  /// Compares the totals with the rows.
  ///
  /// - Throws: `RowFault` with both figures when they differ.
  func check(_ summary: inout FinanceSummary) throws(RowFault) {
    if summary.rowCount == 0 { throw RowFault("intake.finance_no_row") }
    summary.totals += totals.map { "total \($0.amount)" } + accounts
    summary.account = accounts.isEmpty ? nil : accounts.joined(separator: "; ")
    summary.isEstimate = isEstimate
    summary.warnings += warnings
    guard !totals.isEmpty else {
      summary.warnings.append("no total stands behind the rows, so nothing but them says that the file is whole")
      return
    }
    for total in totals { try check(total) }
    if !untotalled.isEmpty {
      summary.warnings.append("no total stands behind the rows that are paid in \(untotalled.joined(separator: ", "))")
    }
  }

  private func check(_ total: Total) throws(RowFault) {
    // Rows after the first blank line are unpaid, but a total may include them.
    let sums = try [sum(of: paid, total), sum(of: all, total)]
    guard !sums.contains(where: total.amount.equals) else { return }
    let currency = total.currency.map { " \($0)" } ?? ""
    throw RowFault(
      Phrase(
        "intake.finance_payment_total", ["stated": .plain("\(total.amount)\(currency)"), "amount": .plain("\(sums[0])\(currency)")]))
  }

  private func sum(of proceeds: [String: ExactDecimal], _ total: Total) throws(RowFault) -> ExactDecimal {
    // An unpaid month may name a currency only at its total.
    let isCounted = { (key: String) in total.currency == nil || key == total.currency || key.isEmpty }
    var sum = ExactDecimal.zero
    for (key, amount) in proceeds where isCounted(key) { sum = try FinanceTrailer.sum(sum, amount) }
    return sum
  }
}

/// The line of a payments file that names the receiving account.
enum PaymentAccount {
  /// Beginnings of the line in the languages of App Store Connect.
  private static let beginnings = [
    "paid to", "ausgezahlt an", "bezahlt an", "gezahlt an", "überwiesen an", "payé à", "versé à", "pagado a", "pagato a", "versato a",
    "pago a", "pago para", "betaald aan", "betalt till", "betalt til", "выплачено на", "переведено на", "支払先", "お支払い先", "振込先",
    "支付至", "付款至", "已付至", "支付給", "支付给", "지급 대상", "지급 계좌",
  ]

  static func isNamed(_ text: String) -> Bool {
    let lowered = text.lowercased()
    return beginnings.contains { lowered.hasPrefix($0) }
  }

  /// Returns whether a text ends with a masked account, such as `ACME BANK -****1299`.
  static func isMasked(_ text: String) -> Bool {
    let digits = text.reversed().prefix { $0.isASCII && $0.isNumber }
    guard digits.count >= 2, let mark = text.dropLast(digits.count).last else { return false }
    return mark == "*" || mark == "•" || mark == "＊"
  }
}

/// An amount and its currency in one cell, such as `1,234.58 EUR`.
enum PaymentAmount {
  static func split(_ text: String) -> (number: String, currency: String?) {
    for code in [text.prefix(3), text.suffix(3)] where text.utf8.count > 3 && FinanceValues.isCurrency(code.uppercased()) {
      let rest = code.startIndex == text.startIndex ? text.dropFirst(3) : text.dropLast(3)
      return (FinanceValues.trimmed(rest.filter { $0 != "\"" }), code.uppercased())
    }
    let plain = text.filter { $0 != "\"" && $0.unicodeScalars.first?.properties.generalCategory != .currencySymbol }
    return (FinanceValues.trimmed(plain), nil)
  }
}
