/// The App Store of a country in the simulated world.
struct Storefront: Sendable {
  var country: String
  var identifier: String
  var currency: String
  /// Hours east of UTC, without daylight saving time.
  var offset: Int64
  var weight: Int

  static let all: [Storefront] = [
    Storefront(country: "CHN", identifier: "143465", currency: "CNY", offset: 8, weight: 50),
    Storefront(country: "USA", identifier: "143441", currency: "USD", offset: -5, weight: 20),
    Storefront(country: "JPN", identifier: "143462", currency: "JPY", offset: 9, weight: 12),
    Storefront(country: "DEU", identifier: "143443", currency: "EUR", offset: 1, weight: 12),
    Storefront(country: "KWT", identifier: "143493", currency: "KWD", offset: 3, weight: 6),
  ]
}

struct Product: Sendable {
  enum Kind: String, Sendable {
    case consumable
    case nonConsumable = "non_consumable"
    case nonRenewing = "non_renewing"
    case autoRenewable = "auto_renewable"

    /// The type's name in Apple's payloads.
    var apple: String {
      switch self {
      case .consumable: "Consumable"
      case .nonConsumable: "Non-Consumable"
      case .nonRenewing: "Non-Renewing Subscription"
      case .autoRenewable: "Auto-Renewable Subscription"
      }
    }
  }

  var bundle: String
  var identifier: String
  var kind: Kind
  /// ISO 8601 period; nil for products without an end.
  var period: String?
  /// Length of a period in days.
  var days: Int64 = 0
  var group: String?
  var isShareable = false
  /// Milliunits per unit and storefront, valid from 2026-06-01.
  var prices: [Int64]
  /// Tenths of `prices` that were valid before 2026-06-01; nil when the price never changed.
  var formerTenths: Int64?
}

struct App: Sendable {
  var bundle: String
  var appleID: Int64
  var timeZone: String
  var goods: [Product]

  func product(_ suffix: String) -> Product {
    guard let product = goods.first(where: { $0.identifier == "\(bundle).\(suffix)" }) else {
      preconditionFailure("the simulated catalogue has no product \(suffix)")
    }
    return product
  }

  static let reader = App(
    bundle: "com.acme.reader", appleID: 1_500_000_001, timeZone: "Asia/Shanghai",
    goods: goods("com.acme.reader", group: "21400001", sharesSubscriptions: false))
  static let kids = App(
    bundle: "com.acme.kids", appleID: 1_500_000_002, timeZone: "America/New_York",
    goods: goods("com.acme.kids", group: "21400002", sharesSubscriptions: true))

  private static func goods(_ bundle: String, group: String, sharesSubscriptions: Bool) -> [Product] {
    func plain(_ name: String, _ kind: Product.Kind, _ prices: [Int64]) -> Product {
      Product(bundle: bundle, identifier: "\(bundle).\(name)", kind: kind, isShareable: kind == .nonConsumable, prices: prices)
    }
    func plan(_ name: String, _ period: String, _ days: Int64, _ prices: [Int64], former: Int64? = nil) -> Product {
      Product(
        bundle: bundle, identifier: "\(bundle).\(name)", kind: .autoRenewable, period: period, days: days, group: group,
        isShareable: sharesSubscriptions, prices: prices, formerTenths: former)
    }
    var pass = plain("pass_30d", .nonRenewing, [28000, 3990, 600_000, 4490, 1250])
    pass.period = "P30D"
    pass.days = 30
    return [
      plain("coins_60", .consumable, [6000, 990, 160_000, 1190, 300]),
      plain("coins_300", .consumable, [30000, 4990, 800_000, 5990, 1500]),
      plain("coins_980", .consumable, [98000, 14990, 2_400_000, 17990, 4600]),
      plain("full_unlock", .nonConsumable, [68000, 9990, 1_600_000, 11990, 3075]),
      pass,
      plan("plus_weekly", "P1W", 7, [12000, 1990, 300_000, 2290, 605]),
      plan("plus_monthly", "P1M", 30, [25000, 3990, 600_000, 4490, 1225], former: 8),
      plan("plus_yearly", "P1Y", 365, [218_000, 34990, 5_500_000, 39990, 10750]),
    ]
  }

  static var catalogue: TextBuffer {
    var text = TextBuffer()
    text.add("bundle_id,product_id,type,subscription_group,period,family_shareable,")
    text.add("storefront,currency,price_milliunits,valid_from\n")
    for product in reader.goods + kids.goods {
      for (index, store) in Storefront.all.enumerated() {
        let price = product.prices[index]
        let former = product.formerTenths.map { price * $0 / 10 }
        for (amount, from) in [(former ?? price, "2025-01-01"), (price, "2026-06-01")]
        where from == "2025-01-01" || former != nil {
          text.row(
            product.bundle, product.identifier, product.kind.rawValue, product.group, product.period,
            product.isShareable ? "true" : "false", store.country, store.currency, "\(amount)", "\(from)T00:00:00Z")
        }
      }
    }
    return text
  }
}
