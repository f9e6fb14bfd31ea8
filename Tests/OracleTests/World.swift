/// Seconds since 2026-05-01T00:00:00Z, the clock of the small worlds.
typealias Second = Int

let hour = 3600
let day = 86_400

func timestamp(_ second: Second) -> Timestamp { instant("2026-05-01T00:00:00Z").advanced(bySeconds: Int64(second)) }

func rfc(_ second: Second) -> String { timestamp(second).rfc3339 }

struct WorldUser {
  var id: String
  var token: String?
  /// Earlier or additional tokens of the user.
  var otherTokens: [String] = []
  var isTester: Bool
  var line: String { "\(id),\(token ?? ""),CHN,\(isTester)" }

  /// Every token that the user ever held.
  var tokens: [String] { [token].compactMap { $0 } + otherTokens }

  /// Rows of other days, one for each other token.
  var otherDays: [WorldUser] { otherTokens.map { WorldUser(id: id, token: $0, isTester: isTester) } }

  /// The row of an earlier day without the token. The row with the token counts, in any order of ingestion.
  var beforeItsToken: WorldUser { WorldUser(id: id, isTester: false) }
}

struct WorldOrder {
  var id: String
  var user: String
  var product: String
  var bundle = "com.acme.reader"
  var status = "delivered"
  var created: Second
  var updated: Second
  var environment = "Production"
  var quantity = 1
  var price: Int64?
  var currency: String?
  var paid: Second?
  var delivered: Second?
  var refunded: Second?
  var entitlement: Second?
  var token: String?
  var transactionID: String?
  var originalTransactionID: String?
  var lineItem: String?
  var device: String?
  /// The item whose signed transaction the order names by hash.
  var evidenceItem: Int?

  var wasDelivered: Bool { status == "delivered" || delivered != nil }
  /// Whether the customer has the goods. The cancellation of a delivered order does not take them back.
  var hasGoods: Bool { wasDelivered && !["refunded", "revoked"].contains(status) }
  var isLive: Bool { status == "paid" || hasGoods }
  var isCalledOff: Bool { status == "cancelled" && !wasDelivered }
  /// Rank among orders that reach one charge: 2 if ever paid or delivered, 0 for a cart. Rank 1 is an order that was paid and
  /// cancelled before its delivery.
  var rank: Int {
    if wasDelivered || !["created", "cancelled"].contains(status) { return 2 }
    return paid == nil ? 0 : status == "cancelled" ? 1 : 2
  }

  func line(hash: (Int) -> String) -> String {
    let fields: [String?] = [
      id, bundle, product, user, status, rfc(created), rfc(updated), environment, "\(quantity)", price.map { "\($0)" },
      currency, nil, paid.map(rfc), delivered.map(rfc), refunded.map(rfc), entitlement.map(rfc), token, nil,
      transactionID, originalTransactionID, lineItem, device, evidenceItem.map(hash), nil,
    ]
    return fields.map { $0 ?? "" }.joined(separator: ",")
  }

  /// The row from the time when only the cart was known.
  var asCart: WorldOrder {
    WorldOrder(
      id: id, user: user, product: product, bundle: bundle, status: "created", created: created, updated: updated - 60,
      environment: environment)
  }

  /// The row before the final state: the same ids and owner, another payment status, not delivered yet.
  var inAnEarlierState: WorldOrder {
    var earlier = self
    earlier.updated = updated - 30
    if status != "created" && status != "cancelled" { earlier.status = "paid" }
    earlier.price = price.map { $0 + 1000 }
    earlier.delivered = nil
    earlier.refunded = nil
    earlier.entitlement = nil
    return earlier
  }
}

/// One signed transaction and its way to us.
struct WorldItem {
  var id: Int
  var purchase: ApplePurchase
  var isForged = false
  var user: String?
  var device: String?
  var order: String?
  /// Type of Apple's notification that carried it; nil for another way.
  var notification: String?

  var purchased: Second { second(purchase.purchasedAt) }
  var signed: Second { second(purchase.signedAt ?? purchase.purchasedAt) }

  var jws: String { Scenario.sign(purchase, by: isForged ? Scenario.forger : Scenario.authority) }

  func line(jws: String) -> String {
    if let notification, !isForged {
      return Scenario.notification(notification, uuid: "n-\(id)", purchase, signedAt: rfc(signed))
    }
    guard user != nil || order != nil else { return jws }
    return Scenario.upload(jws, user: user, device: device, order: order, at: rfc(signed + 30))
  }
}

func second(_ timestamp: Timestamp) -> Second {
  Int((timestamp.microseconds - instant("2026-05-01T00:00:00Z").microseconds) / 1_000_000)
}

struct CataloguePrice {
  var product: String
  var milliunits: Int64
  var storefront: String
  var currency = "CNY"
  var from: Second
}

struct Product {
  var id: String
  var type: String
  var price: Int64
  var period: Second?
  var isShareable = false

  /// The type as a catalogue file states it.
  var catalogueType: String { type.prefix { $0 != " " }.lowercased().replacing("-", with: "_") }
}

struct World {
  var seed: UInt64
  var users: [WorldUser] = []
  var orders: [WorldOrder] = []
  var items: [WorldItem] = []
  var hasCatalogue = false
  var prices: [CataloguePrice] = []
  /// Start dates of apps, by bundle id.
  var starts: [String: Second] = [:]

  /// Returns the world without evidence that Apple signed after an instant, which is pending until a clock has passed it. Evidence
  /// that is not genuine stays, and so does the sender of pending evidence.
  func known(at instant: Second) -> World {
    var world = self
    world.pendingItems = items.filter { !$0.isForged && World.bundles.contains($0.purchase.bundleID) && $0.signed > instant }
    world.items.removeAll { item in world.pendingItems.contains { $0.id == item.id } }
    return world
  }
  private(set) var pendingItems: [WorldItem] = []

  static let products = [
    Product(id: "coins60", type: "Consumable", price: 6000), Product(id: "coins300", type: "Consumable", price: 30000),
    Product(id: "lifetime", type: "Non-Consumable", price: 198_000, isShareable: true),
    Product(id: "pass30", type: "Non-Renewing Subscription", price: 18_000),
    Product(id: "vip.week", type: "Auto-Renewable Subscription", price: 8000, period: 7 * day, isShareable: true),
    Product(id: "vip.day", type: "Auto-Renewable Subscription", price: 2000, period: day),
  ]

  static let bundles = ["com.acme.reader", "com.acme.kids"]
  static let testers = ["U3"]

  var catalogueText: String {
    var lines = ["bundle_id,product_id,type,subscription_group,period,family_shareable,storefront,currency,price_milliunits,valid_from"]
    for bundle in Self.bundles {
      for price in prices {
        guard let product = Self.products.first(where: { $0.id == price.product }) else { continue }
        let period = product.period.map { "P\($0 / day)D" } ?? ""
        lines.append(
          "\(bundle),\(product.id),\(product.catalogueType),\(product.period == nil ? "" : "vip"),\(period),"
            + "\(product.isShareable),\(price.storefront),\(price.currency),\(price.milliunits),\(rfc(price.from))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The catalogue of an earlier day, ingested before the right one.
  var cheaper: World {
    var world = self
    for index in world.prices.indices { world.prices[index].milliunits -= 1000 }
    return world
  }

  /// The last instant of an event in this world.
  static let end = 30 * day
}
