public struct Product: Sendable {
  /// The simulated product types, by their names in signed transactions.
  public enum Kind: String, Sendable, CaseIterable {
    case autoRenewable = "Auto-Renewable Subscription"
    case nonConsumable = "Non-Consumable"
    case consumable = "Consumable"
  }

  public var id: String
  public var kind: Kind
  /// US dollars in thousandths; other storefronts convert it.
  public var price: Int64
  /// Identifier of the subscription group; nil for the other kinds.
  public var group: String?
  /// Rank in its group, 1 is the highest.
  public var level: Int
  /// Length of a subscription period; nil for the other kinds.
  public var period: Period?

  public init(id: String, kind: Kind, price: Int64, group: String? = nil, level: Int = 1, period: Period? = nil) {
    self.id = id
    self.kind = kind
    self.price = price
    self.group = group
    self.level = level
    self.period = period
  }

  /// Products of every kind: a group of five subscriptions on three levels and three one-time products.
  public static let samples: [Product] = [
    Product(id: "com.example.reader.gold.monthly", kind: .autoRenewable, price: 19990, group: "21400001", level: 1, period: .month),
    Product(id: "com.example.reader.silver.monthly", kind: .autoRenewable, price: 9990, group: "21400001", level: 2, period: .month),
    Product(id: "com.example.reader.comics.monthly", kind: .autoRenewable, price: 8990, group: "21400001", level: 2, period: .month),
    Product(id: "com.example.reader.silver.yearly", kind: .autoRenewable, price: 99990, group: "21400001", level: 2, period: .year),
    Product(id: "com.example.reader.bronze.weekly", kind: .autoRenewable, price: 1990, group: "21400001", level: 3, period: .week),
    Product(id: "com.example.reader.coins.100", kind: .consumable, price: 990),
    Product(id: "com.example.reader.coins.1000", kind: .consumable, price: 9990),
    Product(id: "com.example.reader.lifetime", kind: .nonConsumable, price: 49990),
  ]
}

/// The store of a country.
public struct Storefront: Sendable, Hashable {
  /// ISO 3166-1 alpha-3.
  public var code: String
  /// Apple's number of the storefront.
  public var id: String
  /// ISO 4217.
  public var currency: String
  /// Hundredths of the currency per US dollar.
  var rate: Int64
  /// Step in thousandths of the currency to which prices are rounded.
  var step: Int64

  /// Returns the price in this store, in thousandths of its currency.
  func price(dollars: Int64) -> Int64 {
    let exact = dollars * rate / 100
    return (exact + step / 2) / step * step
  }

  /// The simulated storefronts.
  ///
  /// - Source: Apple, storefront identifiers.
  public static let all: [Storefront] = [
    Storefront(code: "USA", id: "143441", currency: "USD", rate: 100, step: 10),
    Storefront(code: "CHN", id: "143465", currency: "CNY", rate: 700, step: 1000),
    Storefront(code: "JPN", id: "143462", currency: "JPY", rate: 15000, step: 10_000),
    Storefront(code: "KOR", id: "143466", currency: "KRW", rate: 140_000, step: 100_000),
    Storefront(code: "GBR", id: "143444", currency: "GBP", rate: 90, step: 10),
    Storefront(code: "DEU", id: "143443", currency: "EUR", rate: 100, step: 10),
    Storefront(code: "KWT", id: "143493", currency: "KWD", rate: 30, step: 5),
  ]

  public static func named(_ code: String) -> Storefront? { all.first { $0.code == code } }
}

/// Apple's two server environments.
public enum StoreEnvironment: String, Sendable, CaseIterable {
  case production = "Production"
  case sandbox = "Sandbox"
}

/// The app that the store sells for.
public struct SimulatedApp: Sendable {
  public var bundleID: String
  /// Apple's number of the app; omitted from sandbox notifications, as Apple does.
  public var appleID: Int64
  /// Version of the purchasing build.
  public var version: String
  public var grace: GraceSetting
  /// Secret that verifyReceipt requires.
  public var sharedSecret: String
  public var products: [Product]

  public init(
    bundleID: String = "com.example.reader", appleID: Int64 = 1_600_000_001, version: String = "412",
    grace: GraceSetting = .sixteenDays, sharedSecret: String = "0123456789abcdef0123456789abcdef", products: [Product] = Product.samples
  ) {
    self.bundleID = bundleID
    self.appleID = appleID
    self.version = version
    self.grace = grace
    self.sharedSecret = sharedSecret
    self.products = products
  }
}
