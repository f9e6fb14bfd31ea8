/// The expected findings of a correct tie-out, and the causes that are no difference.
enum MoneyTruth {
  static func cells(_ planted: [PlantedCell: Int64]) -> [UInt8] {
    var text = TextBuffer()
    text.add("fiscal_period,cause,found_as,region,transaction_day,sku,storefront,customer_currency,customer_price,sign,units\n")
    for (cell, units) in planted.sorted(by: { $0.key < $1.key }) {
      let store = Storefront.all[cell.store]
      text.row(
        FiscalSpan.periods[cell.period].name, cell.cause, cell.finding.rawValue, Tariff.terms[cell.store].region,
        FiscalSpan.text(cell.day), Tariff.goods[cell.good].identifier, store.country, store.currency,
        Money.plain(price: cell.price), "\(cell.sign)", "\(units)")
    }
    return text.bytes
  }

  /// Returns the planted causes in payments, and the tax in prices, as amounts in the named currency.
  static func payments(_ payouts: Payouts, _ earned: [(line: EarnedLine, units: Int64)]) -> [UInt8] {
    var text = "fiscal_period,cause,region,currency,kind,amount\n"
    for (period, rows) in payouts.rows.enumerated() {
      let name = FiscalSpan.periods[period].name
      for row in rows {
        func add(_ cause: String, _ kind: String, _ amount: Int64, in currency: String? = nil) {
          guard amount != 0 else { return }
          let money = Money.text(hundredths: amount, currency ?? row.currency)
          text += "\(name),\(cause),\(row.region),\(currency ?? row.currency),\(kind),\(money)\n"
        }
        if row.isPaid { add("T6", "rounding", row.proceeds - row.atPrintedRate, in: row.bank) }
        add("T9", "input_tax", row.inputTax)
        add("T9", "adjustments", row.adjustments)
        add("T9", "withholding_tax", row.withheld)
        add("T10", "brought_forward", row.balance)
        if !row.isPaid { add("T10", "carried_forward", -row.owed) }
      }
      for store in Tariff.terms.indices where Tariff.terms[store].tax > 0 {
        let terms = Tariff.terms[store]
        let tax = Self.tax(earned.filter { $0.line.store == store && $0.line.period == period }, store: store)
        text += "\(name),T7,\(terms.region),\(terms.currency),tax,\(Money.text(-tax, digits: 4))\n"
      }
    }
    return Array(text.utf8)
  }

  /// Returns the tax by cell as the bridge counts it, in ten-thousandths.
  private static func tax(_ lines: [(line: EarnedLine, units: Int64)], store: Int) -> Int64 {
    var cells: [EarnedLine: Int64] = [:]
    for (line, units) in lines {
      var cell = line
      (cell.share, cell.settled) = (0, 0)
      cells[cell, default: 0] += units
    }
    return cells.reduce(0) { $0 + $1.key.sign * Tariff.tax(in: $1.key.price, units: $1.value, store: store) }
  }
}
