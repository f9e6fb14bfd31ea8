/// FINANCIAL and FINANCE_DETAIL of a period in App Store Connect's format.
enum EarnedReports {
  static let vendor = "85000000"
  static let developer = "Acme Ltd"

  private static let detailHeader = [
    "Transaction Date", "Settlement Date", "Apple Identifier", "SKU", "Title", "Developer Name", "Product Type Identifier",
    "Country of Sale", "Quantity", "Partner Share", "Extended Partner Share", "Partner Share Currency", "Customer Price",
    "Customer Currency", "Sale or Return", "Promo Code", "Order Type", "Region",
  ]

  private static let financialHeader = [
    "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share", "Extended Partner Share",
    "Partner Share Currency", "Sales or Return", "Apple Identifier", "Artist/Show/Developer/Author", "Title",
    "Label/Studio/Network/Developer/Publisher", "Grid", "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale",
    "Pre-order Flag", "Promo Code", "Customer Price", "Customer Currency",
  ]

  static func row(_ values: [String]) -> [UInt8] { Array((values.joined(separator: "\t") + "\n").utf8) }

  /// Returns a FINANCE_DETAIL report: a preamble, each line with its days, and a summary by country.
  static func detail(_ period: Int, _ lines: [(line: EarnedLine, units: Int64)]) -> [UInt8] {
    let span = FiscalSpan.periods[period]
    var text = row(["Vendor Name", developer]) + row(["Start Date", FiscalSpan.slashed(span.first)])
    text += row(["End Date", FiscalSpan.slashed(span.last)]) + row([""]) + row(detailHeader)
    var sums: [Int: (units: Int64, amount: Int64)] = [:]
    for (line, units) in lines {
      let (terms, good) = (Tariff.terms[line.store], Tariff.goods[line.good])
      let (count, amount) = (units * line.sign, units * line.sign * line.share)
      sums[line.store, default: (0, 0)].units += count
      sums[line.store, default: (0, 0)].amount += amount
      let currency = Storefront.all[line.store].currency
      text += row([
        FiscalSpan.slashed(line.day), FiscalSpan.slashed(line.settled), Tariff.appleIdentifier(line.good), good.identifier,
        title(good), developer, Tariff.productType(line.good), terms.country, "\(count)",
        Money.text(hundredths: line.share, terms.currency), Money.text(hundredths: amount, terms.currency), terms.currency,
        Money.text(price: line.price, currency), currency, line.sign > 0 ? "S" : "R", "", "", terms.region,
      ])
    }
    text += row([""]) + row(["Country Of Sale", "Partner Share Currency", "Quantity", "Extended Partner Share"])
    for (store, sum) in sums.sorted(by: { $0.key < $1.key }) {
      let terms = Tariff.terms[store]
      text += row([terms.country, terms.currency, "\(sum.units)", Money.text(hundredths: sum.amount, terms.currency)])
    }
    return text
  }

  /// Returns a FINANCIAL report of one region: lines without days, and totals after the rows.
  static func financial(_ period: Int, region: String, _ lines: [(line: EarnedLine, units: Int64)]) -> [UInt8] {
    let span = FiscalSpan.periods[period]
    var counts: [EarnedLine: Int64] = [:]
    for (line, units) in lines where Tariff.terms[line.store].region == region {
      var whole = line
      (whole.day, whole.settled) = (span.first, span.first)
      counts[whole, default: 0] += units
    }
    var text = row(financialHeader)
    var (amount, total) = (Int64(0), Int64(0))
    for (line, units) in counts.sorted(by: { $0.key < $1.key }) {
      let (terms, good) = (Tariff.terms[line.store], Tariff.goods[line.good])
      let (count, extended) = (units * line.sign, units * line.sign * line.share)
      total += count
      amount += extended
      let currency = Storefront.all[line.store].currency
      text += row([
        FiscalSpan.slashed(span.first), FiscalSpan.slashed(span.last), "", "", good.identifier, "\(count)",
        Money.text(hundredths: line.share, terms.currency), Money.text(hundredths: extended, terms.currency), terms.currency,
        line.sign > 0 ? "S" : "R", Tariff.appleIdentifier(line.good), developer, title(good), "", "",
        Tariff.productType(line.good), "", terms.country, "", "", Money.text(price: line.price, currency), currency,
      ])
    }
    let currency = Tariff.terms.first { $0.region == region }?.currency ?? ""
    text += row(["Total_Rows", "\(counts.count)"]) + row(["Total_Amount", Money.text(hundredths: amount, currency)])
    return text + row(["Total_Units", "\(total)"])
  }

  /// Returns the last part of a product's identifier as a title.
  static func title(_ good: Product) -> String {
    String(good.identifier.split(separator: ".").last ?? "").replacing("_", with: " ").capitalizedFirst
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
