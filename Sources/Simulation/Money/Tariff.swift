/// What Apple sells for us, by number, and what it leaves us of a price.
enum Tariff {
  /// Goods of both apps, and last one that no catalogue of ours knows.
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

  /// How Apple's reports call a storefront, the region that it is paid with, and the currency of that.
  struct Place: Sendable {
    var country: String
    var region: String
    var currency: String
    /// Tax in the price, in percent.
    var tax: Int64
    /// Proceeds currency for a thousand of the customer's, where they differ.
    var rate: Int64 = 1000
  }

  static let places = [
    Place(country: "CN", region: "CN", currency: "CNY", tax: 0),
    Place(country: "US", region: "US", currency: "USD", tax: 0),
    Place(country: "JP", region: "JP", currency: "JPY", tax: 10),
    Place(country: "DE", region: "EU", currency: "EUR", tax: 19),
    Place(country: "KW", region: "WW", currency: "USD", tax: 0, rate: 3250),
  ]

  /// How much of the price before tax is ours.
  enum Commission: Sendable {
    case standard
    /// After a year of paid service.
    case secondYear

    /// In percent; China has rates of its own since March 2026.
    func part(_ store: Int) -> Int64 {
      switch self {
      case .standard: store == 0 ? 75 : 70
      case .secondYear: store == 0 ? 88 : 85
      }
    }
  }

  /// What one unit brings, in hundredths of the proceeds currency.
  ///
  /// - Parameter price: milliunits of the customer's currency.
  static func share(of price: Int64, store: Int, _ commission: Commission = .standard) -> Int64 {
    let place = places[store]
    let hundredths = price * place.rate * commission.part(store) / (100 + place.tax) / 10_000
    return place.currency == "JPY" ? hundredths / 100 * 100 : hundredths
  }

  /// Tax in a price, in ten-thousandths of the currency, half away from zero.
  static func tax(in price: Int64, units: Int64, store: Int) -> Int64 {
    let (tax, amount) = (places[store].tax, price * 10 * units)
    return (2 * amount * tax + 100 + tax) / (2 * (100 + tax))
  }

  static func price(_ good: Int, _ store: Int) -> Int64 { goods[good].prices[store] }

  /// A fifth less, in whole coins.
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

/// Exact decimals as reports print them.
enum Money {
  /// A count of `1 / 10^digits` with that many digits.
  static func text(_ amount: Int64, digits: Int) -> String {
    guard digits > 0 else { return "\(amount)" }
    let scale = (0..<digits).reduce(Int64(1)) { product, _ in product * 10 }
    let rest = String("\(scale + amount.magnitude.asInt64 % scale)".dropFirst())
    return "\(amount < 0 ? "-" : "")\(amount.magnitude.asInt64 / scale).\(rest)"
  }

  /// Hundredths of a currency with its digits.
  static func text(hundredths amount: Int64, _ currency: String) -> String {
    Tariff.digits(currency) == 0 ? "\(amount / 100)" : text(amount, digits: 2)
  }

  /// A price in milliunits with its currency's digits.
  static func text(price: Int64, _ currency: String) -> String {
    let digits = Tariff.digits(currency)
    return text(price / [0: 1000, 3: 1][digits, default: 10], digits: digits)
  }

  /// A price without zeros that say nothing, as cells print it.
  static func plain(price: Int64) -> String {
    var text = text(price, digits: 3)
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension UInt64 {
  fileprivate var asInt64: Int64 { Int64(clamping: self) }
}
