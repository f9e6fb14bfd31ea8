/// The products that Apple sells for us, by number, and our share of a price.
enum Tariff {
  /// Products of both apps, and last one that is in no catalogue of ours.
  static let goods: [Product] = {
    var retired = App.reader.product("coins_60")
    retired.identifier = "com.acme.reader.retired_pack"
    return App.reader.goods + App.kids.goods + [retired]
  }()
  static let retired = goods.count - 1

  static func goods(named suffixes: [String]) -> [Int] {
    goods.indices.filter { good in good != retired && suffixes.contains { goods[good].identifier.hasSuffix(".\($0)") } }
  }

  static func app(of good: Int) -> App { goods[good].bundle == App.kids.bundle ? .kids : .reader }

  /// A storefront in Apple's reports: its country, the region it is paid with, and that region's currency.
  struct StoreTerms: Sendable {
    var country: String
    var region: String
    var currency: String
    /// Tax included in the price, in percent.
    var tax: Int64
    /// Proceeds currency units per thousand of the customer's currency, where they differ.
    var rate: Int64 = 1000
  }

  static let terms = [
    StoreTerms(country: "CN", region: "CN", currency: "CNY", tax: 0),
    StoreTerms(country: "US", region: "US", currency: "USD", tax: 0),
    StoreTerms(country: "JP", region: "JP", currency: "JPY", tax: 10),
    StoreTerms(country: "DE", region: "EU", currency: "EUR", tax: 19),
    StoreTerms(country: "KW", region: "WW", currency: "USD", tax: 0, rate: 3250),
  ]

  /// The commission rate, which determines our share of the price before tax.
  enum Commission: Sendable {
    case standard
    /// After a year of paid service.
    case secondYear

    /// Returns our share in percent; China has separate rates since March 2026.
    func part(_ store: Int) -> Int64 {
      switch self {
      case .standard: store == 0 ? 75 : 70
      case .secondYear: store == 0 ? 88 : 85
      }
    }
  }

  /// Returns our share of one unit, in hundredths of the proceeds currency.
  ///
  /// - Parameter price: milliunits of the customer's currency.
  static func share(of price: Int64, store: Int, _ commission: Commission = .standard) -> Int64 {
    let own = terms[store]
    let hundredths = price * own.rate * commission.part(store) / (100 + own.tax) / 10_000
    return own.currency == "JPY" ? hundredths / 100 * 100 : hundredths
  }

  /// Returns the tax in a price, in ten-thousandths of the currency, rounded half away from zero.
  static func tax(in price: Int64, units: Int64, store: Int) -> Int64 {
    let (tax, amount) = (terms[store].tax, price * 10 * units)
    return (2 * amount * tax + 100 + tax) / (2 * (100 + tax))
  }

  static func price(_ good: Int, _ store: Int) -> Int64 { goods[good].prices[store] }

  /// Returns a price lower by a fifth, in whole coins.
  static func formerPrice(_ good: Int, _ store: Int) -> Int64 {
    let coin: Int64 = [0: 1000, 3: 1][digits(Storefront.all[store].currency)] ?? 10
    return price(good, store) * 8 / 10 / coin * coin
  }

  static func digits(_ currency: String) -> Int { ["JPY": 0, "KWD": 3][currency] ?? 2 }

  static func productType(_ good: Int) -> String {
    switch goods[good].kind {
    case .autoRenewable: "IAY"
    case .nonRenewing: "IA9"
    case .consumable, .nonConsumable: "IA1"
    }
  }

  static func appleIdentifier(_ good: Int) -> String { "\(6_440_000_000 + good)" }
}

/// Formats exact decimals as in reports.
enum Money {
  /// Returns a count of `1 / 10^digits` with that many decimals.
  static func text(_ amount: Int64, digits: Int) -> String {
    guard digits > 0 else { return "\(amount)" }
    let scale = (0..<digits).reduce(Int64(1)) { product, _ in product * 10 }
    let rest = String("\(scale + abs(amount) % scale)".dropFirst())
    return "\(amount < 0 ? "-" : "")\(abs(amount) / scale).\(rest)"
  }

  /// Returns hundredths of a currency with the currency's decimals.
  static func text(hundredths amount: Int64, _ currency: String) -> String {
    Tariff.digits(currency) == 0 ? "\(amount / 100)" : text(amount, digits: 2)
  }

  /// Returns a price in milliunits with the currency's decimals.
  static func text(price: Int64, _ currency: String) -> String {
    let digits = Tariff.digits(currency)
    return text(price / [0: 1000, 3: 1][digits, default: 10], digits: digits)
  }

  /// Returns a price without trailing zeros, as in cells.
  static func plain(price: Int64) -> String {
    var text = text(price, digits: 3)
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
