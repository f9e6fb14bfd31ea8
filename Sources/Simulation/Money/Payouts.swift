/// The path from earned amounts to the credits on our accounts: adjustments, taxes, a pending balance, and rates with few decimals.
struct Payouts {
  /// A row of the payments page; money in hundredths.
  struct Row {
    var name: String
    var region: String
    var currency: String
    var units: Int64 = 0
    var balance: Int64 = 0
    var earned: Int64 = 0
    var inputTax: Int64 = 0
    var adjustments: Int64 = 0
    var withheld: Int64 = 0
    var isPaid = true
    /// Bank currency units per unit, times 10^7; more digits than the page prints.
    var rate: Int64 = Self.one
    var bank = "HKD"

    static let one: Int64 = 10_000_000
    /// Divisor that removes the two digits that are not printed.
    private static let printed: Int64 = 100

    var owed: Int64 { balance + earned + inputTax + adjustments + withheld }
    var printedRate: Int64 { (rate + Self.printed / 2) / Self.printed }
    var proceeds: Int64 { Self.rounded(owed, rate, Self.one) }
    var atPrintedRate: Int64 { Self.rounded(owed, printedRate, Self.one / Self.printed) }

    /// Returns `amount * rate / one`, rounded half away from zero.
    private static func rounded(_ amount: Int64, _ rate: Int64, _ one: Int64) -> Int64 {
      let magnitude = (2 * abs(amount) * rate + one) / (2 * one)
      return amount < 0 ? -magnitude : magnitude
    }
  }

  let rows: [[Row]]

  private static let names = ["China mainland", "Americas", "Japan", "Euro-Zone", "Rest of World"]
  private static let rates: [Int64] = [Row.one, 78_213_456, 512_347, 89_541_237, 77_419_263]

  init(_ earned: [(line: EarnedLine, units: Int64)]) {
    var waiting: Int64 = 0
    rows = FiscalSpan.periods.indices.map { period in
      var rows = Tariff.terms.indices.map { Self.row($0, period: period, earned) }
      // Japan withholds tax, the Euro zone taxes the commission, and the rest of the world awaits its first payment.
      rows[2].withheld = -(rows[2].earned * 1021 / 10_000 / 100 * 100)
      rows[3].inputTax = -(rows[3].earned / 100)
      rows[4].balance = waiting
      rows[4].isPaid = period > 0
      waiting = period > 0 ? 0 : rows[4].owed
      if period == 1 { rows.append(Self.adjustment) }
      return rows
    }
  }

  /// A row without sales.
  private static let adjustment = Row(
    name: "Latin America and the Caribbean", region: "LL", currency: "USD", adjustments: -1250, rate: 78_101_123)

  private static func row(_ store: Int, period: Int, _ earned: [(line: EarnedLine, units: Int64)]) -> Row {
    let terms = Tariff.terms[store]
    var row = Row(name: names[store], region: terms.region, currency: terms.currency, rate: rates[store])
    if store == 0 { row.bank = "CNY" }
    for (line, units) in earned where line.store == store && line.period == period {
      row.units += units * line.sign
      row.earned += units * line.sign * line.share
    }
    return row
  }

  private func hasBalance(_ period: Int) -> Bool { rows[period].contains { $0.balance != 0 } }

  /// Returns the payments CSV. Unpaid rows follow a blank line; a column for the balance exists only if there is one. The total and the
  /// name of each account follow the rows, as on Apple's page.
  func page(_ period: Int) -> [UInt8] {
    let span = FiscalSpan.periods[period]
    let balances = hasBalance(period)
    let header =
      "Region (Currency),Units Sold,\(balances ? "Balance," : "")Earned,Pre-Tax Subtotal,Input Tax,Adjustments,"
      + "Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency\n"
    var text = "\"iTunes Connect - Payments and Financial Reports (\(span.month), 2026)\"\n\n" + header
    for row in rows[period] where row.isPaid { text += Self.line(row, balances) }
    let waiting = rows[period].filter { !$0.isPaid }
    if !waiting.isEmpty { text += "\n" + waiting.map { Self.line($0, balances) }.joined() }
    let before = String(repeating: ",", count: balances ? 11 : 10)
    text += "\n"
    for (number, currency) in ["HKD", "CNY"].enumerated() {
      let total = rows[period].filter { $0.isPaid && $0.bank == currency }.reduce(0) { $0 + $1.proceeds }
      text += "\(before)\"\(Self.grouped(Money.text(total, digits: 2)))\" \(currency),\n"
      text += "\(before)Paid to ACME BANK -****004\(number + 1),\n"
    }
    return Array(text.utf8)
  }

  private static func line(_ row: Row, _ balances: Bool) -> String {
    func money(_ amount: Int64) -> String { "\"\(grouped(Money.text(hundredths: amount, row.currency)))\"" }
    var cells = ["\"\(row.name) (\(row.currency))\"", "\"\(grouped("\(row.units)"))\""]
    if balances { cells.append(money(row.balance)) }
    cells += [
      money(row.earned), money(row.balance + row.earned), money(row.inputTax), money(row.adjustments), money(row.withheld),
      money(row.owed),
    ]
    guard row.isPaid else { return cells.joined(separator: ",") + ",,,\n" }
    cells += [Money.text(row.printedRate, digits: 5), "\"\(grouped(Money.text(row.proceeds, digits: 2)))\"", row.bank]
    return cells.joined(separator: ",") + "\n"
  }

  /// Returns a number with commas between thousands, as on the page.
  private static func grouped(_ text: String) -> String {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    var whole = String(parts[0])
    var grouped = ""
    while whole.count > 3 {
      grouped = ",\(whole.suffix(3))\(grouped)"
      whole.removeLast(3)
    }
    return (isNegative ? "-" : "") + whole + grouped + (parts.count > 1 ? ".\(parts[1])" : "")
  }

  /// Returns the credits on our accounts; some are not Apple's.
  func bank() -> [UInt8] {
    var text = "bank_date,amount,currency,reference,account\n"
    for (period, span) in FiscalSpan.periods.enumerated() {
      let day = FiscalSpan.text(span.last + FiscalSpan.daysToPayment)
      text += "\(FiscalSpan.text(span.last + 20)),1234.56,HKD,ADVERTISING NETWORK \(span.name),004-1\n"
      for currency in ["CNY", "HKD"] {
        let amount = rows[period].filter { $0.isPaid && $0.bank == currency }.reduce(0) { $0 + $1.proceeds }
        text += "\(day),\(Money.text(amount, digits: 2)),\(currency),APPLE \(span.name),004-\(currency == "CNY" ? 2 : 1)\n"
      }
    }
    return Array(text.utf8)
  }
}
