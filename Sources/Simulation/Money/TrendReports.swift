internal import Domain

/// SALES, SUBSCRIBER and SUBSCRIPTION_EVENT reports of a day.
enum TrendReports {
  private static let salesHeader = [
    "Provider", "Provider Country", "SKU", "Developer", "Title", "Version", "Product Type Identifier", "Units",
    "Developer Proceeds", "Begin Date", "End Date", "Customer Currency", "Country Code", "Currency of Proceeds",
    "Apple Identifier", "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category", "CMB",
    "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client", "Order Type",
  ]

  private static let subscriberHeader = [
    "Event Date", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID", "Subscription Group ID",
    "Standard Subscription Duration", "Subscription Offer Name", "Promotional Offer ID", "Subscription Offer Type",
    "Subscription Offer Duration", "Marketing Opt-In Duration", "Customer Price", "Customer Currency", "Developer Proceeds",
    "Proceeds Currency", "Preserved Pricing", "Proceeds Reason", "Client", "Device", "Country", "Subscriber ID",
    "Subscriber ID Reset", "Refund", "Purchase Date", "Units",
  ]

  private static let eventHeader = [
    "Event Date", "Event", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID", "Subscription Group ID",
    "Standard Subscription Duration", "Subscription Offer Type", "Subscription Offer Duration", "Marketing Opt-In",
    "Marketing Opt-In Duration", "Preserved Pricing", "Proceeds Reason", "Subscription Offer Name", "Promotional Offer ID",
    "Consecutive Paid Periods", "Original Start Date", "Device", "Client", "State", "Country", "Previous Subscription Name",
    "Previous Subscription Apple ID", "Days Before Canceling", "Cancellation Reason", "Days Canceled", "Quantity",
    "Paid Service Days Recovered",
  ]

  private static func isSubscription(_ line: TrendLine) -> Bool { Tariff.goods[line.good].kind == .autoRenewable }

  private static func reason(_ line: TrendLine) -> String {
    line.price > 0 && line.share > Tariff.share(of: line.price, store: line.store) ? "Rate After One Year" : ""
  }

  static func sales(_ lines: [(line: TrendLine, units: Int64)]) -> [UInt8] {
    lines.reduce(into: EarnedReports.row(salesHeader)) { text, entry in
      let (line, good, terms) = (entry.line, Tariff.goods[entry.line.good], Tariff.terms[entry.line.store])
      let day = FiscalSpan.slashed(line.day)
      let currency = Storefront.all[line.store].currency
      let event = [TrendLine.Event.purchase: "New", .renewal: "Renewal", .trial: "New"][line.event] ?? ""
      text += EarnedReports.row([
        "APPLE", "US", good.identifier, EarnedReports.developer, EarnedReports.title(good), "", Tariff.productType(line.good),
        "\(line.event == .refund ? -entry.units : entry.units)", Money.text(hundredths: line.share, terms.currency), day, day,
        currency, terms.country, terms.currency, Tariff.appleIdentifier(line.good), Money.text(price: line.price, currency), "",
        good.bundle, isSubscription(line) ? event : "", duration(good), "Entertainment", "", "iPhone", "iOS", reason(line), "",
        "", "",
      ])
    }
  }

  /// Returns one row per event; the subscriber's number does not identify a customer.
  static func subscriber(_ lines: [(line: TrendLine, units: Int64)]) -> [UInt8] {
    var text = EarnedReports.row(subscriberHeader)
    for (line, units) in lines where isSubscription(line) {
      for unit in 0..<units { text += EarnedReports.row(subscriberRow(line, unit: unit)) }
    }
    return text
  }

  private static func subscriberRow(_ line: TrendLine, unit: Int64) -> [String] {
    let (good, terms) = (Tariff.goods[line.good], Tariff.terms[line.store])
    let currency = Storefront.all[line.store].currency
    let minus = line.event == .refund ? "-" : ""
    var random = RandomSource(seed: UInt64(line.day), stream: UInt64(line.good * 8 + line.store) &* 1_000_003 &+ UInt64(unit))
    let app = Tariff.app(of: line.good)
    return [
      FiscalSpan.text(line.day), good.bundle, "\(app.appleID)", EarnedReports.title(good), Tariff.appleIdentifier(line.good),
      good.group ?? "", duration(good), "", "", line.event == .trial ? "Introductory Offer" : "",
      line.event == .trial ? "7 Days" : "", "", minus + Money.text(price: line.price, currency), currency,
      minus + Money.text(hundredths: line.share, terms.currency), terms.currency, "", reason(line), "", "iPhone", terms.country,
      "\(random.between(100_000_000, 999_999_999))", "", line.event == .refund ? "Yes" : "", FiscalSpan.text(line.boughtOn), "1",
    ]
  }

  static func events(_ lines: [(line: TrendLine, units: Int64)]) -> [UInt8] {
    var text = EarnedReports.row(eventHeader)
    for (line, units) in lines where isSubscription(line) {
      let (good, terms, app) = (Tariff.goods[line.good], Tariff.terms[line.store], Tariff.app(of: line.good))
      let names: [TrendLine.Event: String] = [.purchase: "Subscribe", .renewal: "Renew", .trial: "Start Introductory Offer"]
      text += EarnedReports.row([
        FiscalSpan.text(line.day), names[line.event] ?? "Refund", good.bundle, "\(app.appleID)", EarnedReports.title(good),
        Tariff.appleIdentifier(line.good), good.group ?? "", duration(good), line.event == .trial ? "Introductory Offer" : "",
        line.event == .trial ? "7 Days" : "", "", "", "", reason(line), "", "", "", FiscalSpan.text(line.boughtOn), "iPhone", "",
        "", terms.country, "", "", "", "", "", "\(units)", "",
      ])
    }
    return text
  }

  private static func duration(_ good: Product) -> String {
    ["P1W": "7 Days", "P1M": "1 Month", "P1Y": "1 Year"][good.kind == .autoRenewable ? good.period ?? "" : ""] ?? ""
  }
}
