import Dice

extension World {
  /// Returns a world in which few users, tokens, devices and products collide often.
  static func make(seed: UInt64) -> World {
    var maker = WorldMaker(seed: seed)
    return maker.make()
  }
}

private struct WorldMaker {
  var dice: Dice
  var world: World
  var itemCount = 0
  var idCount = 0
  var usedInstants: Set<Second> = []
  let userTokens = (1...4).map { "a000000\($0)-0000-4000-8000-000000000000" }
  let orderTokens = (1...4).map { "b000000\($0)-0000-4000-8000-000000000000" }
  let devices = ["D1", "D2", "D3"]
  var userIDs: [String] = []
  var products: [Product] = []

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    world = World(seed: seed)
  }

  mutating func make() -> World {
    userIDs = (1...dice.number(2...4)).map { "U\($0)" }
    for (index, id) in userIDs.enumerated() where dice.chance(75) {
      var user = WorldUser(id: id, token: dice.chance(70) ? userTokens[index] : nil, isTester: World.testers.contains(id))
      // An earlier token of the same user, or a token that another user also holds.
      if dice.chance(20) { user.otherTokens.append("c000000\(index)-0000-4000-8000-000000000000") }
      if dice.chance(12) { user.otherTokens.append(dice.pick(userTokens)) }
      user.otherTokens.removeAll { $0 == user.token }
      world.users.append(user)
    }
    products = Array(dice.shuffled(World.products).prefix(dice.number(2...4)))
    world.hasCatalogue = dice.chance(50)
    if world.hasCatalogue {
      for product in World.products {
        var price = CataloguePrice(
          product: product.id, milliunits: product.price, storefront: dice.chance(50) ? "CHN" : "", from: -100 * day)
        world.prices.append(price)
        guard dice.chance(40) else { continue }
        (price.milliunits, price.from) = (product.price + 1000, 15 * day)
        world.prices.append(price)
      }
    }
    if dice.chance(25) { world.starts[dice.pick(World.bundles)] = dice.number(5...25) * day }
    let purchases = dice.number(5...25)
    if dice.chance(35) { spree() }
    while world.items.count < purchases { story() }
    let orders = dice.number(5...25)
    while world.orders.count < orders { world.orders.append(order(about: dice.pick(world.items))) }
    return world
  }

  mutating func freshInstant(_ low: Second, _ high: Second) -> Second {
    while true {
      let instant = dice.number(low...high)
      if usedInstants.insert(instant).inserted { return instant }
    }
  }

  mutating func id() -> String {
    idCount += 1
    return "4700000000000\(idCount < 10 ? "0" : "")\(idCount)"
  }

  /// Returns an instant on one of few evenings, so that windows overlap.
  mutating func purchaseInstant() -> Second {
    let evening = dice.number(2...12) * 2 * day + 18 * hour
    return freshInstant(evening, evening + (dice.chance(70) ? 2 * hour : 30 * hour))
  }

  mutating func token() -> String? {
    let roll = dice.below(100)
    if roll < 45 { return nil }
    if roll < 68 { return userTokens[dice.below(userIDs.count)] }
    if roll < 75 { return world.users.flatMap(\.tokens).last ?? userTokens[0] }
    return dice.pick(orderTokens)
  }

  /// Adds one purchase with all its events.
  mutating func story() {
    let product = dice.pick(products)
    let first = id()
    let at = product.period == nil ? purchaseInstant() : freshInstant(day, 20 * day)
    var purchase = ApplePurchase(first, at: rfc(at), product: product.id, type: product.type, price: product.price, token: token())
    if dice.chance(10) { purchase.environment = "Sandbox" }
    if dice.chance(12) { purchase.bundleID = "com.acme.kids" }
    if dice.chance(4) { purchase.bundleID = "com.other.app" }
    if dice.chance(6) { purchase.priceMilliunits = dice.pick([0, 1000, product.price + 500]) }
    if dice.chance(5) { purchase.currency = "USD" }
    if dice.chance(8), product.type == "Consumable" {
      purchase.quantity = dice.number(2...3)
      purchase.priceMilliunits *= Int64(purchase.quantity)
    }
    if dice.chance(6), product.type != "Consumable" {
      purchase.ownership = "FAMILY_SHARED"
      if dice.chance(50) { purchase.token = nil }
    }
    if let period = product.period {
      chain(purchase, period: period)
    } else {
      publish(purchase)
      if product.type == "Non-Consumable" && dice.chance(15) { familyCopy(purchase, at: at) }
      if product.type == "Non-Consumable" && dice.chance(25) || product.type == "Consumable" && dice.chance(4) {
        let restored = freshInstant(at + day, at + 5 * day)
        publish(purchase.with { ($0.transactionID, $0.purchasedAt, $0.originalPurchasedAt) = (id(), timestamp(restored), timestamp(at)) })
      }
    }
  }

  /// Adds a family member's copy of the purchase at about the same time, with the same token.
  mutating func familyCopy(_ purchase: ApplePurchase, at: Second) {
    let shared = freshInstant(at - 300, at + 300)
    publish(
      purchase.with {
        $0.transactionID = id()
        $0.originalTransactionID = $0.transactionID
        $0.ownership = "FAMILY_SHARED"
        $0.purchasedAt = timestamp(shared)
      })
  }

  /// Adds a user who buys one product repeatedly without a token. Only the instants show which order belongs to which purchase.
  mutating func spree() {
    let user = dice.pick(userIDs)
    let product = dice.pick(World.products.filter { $0.period == nil })
    var at = purchaseInstant()
    for _ in 0..<dice.number(2...5) {
      at = freshInstant(at + 20, at + dice.pick([60, 400, 4 * hour]))
      itemCount += 1
      let purchase = ApplePurchase(id(), at: rfc(at), product: product.id, type: product.type, price: product.price)
      world.items.append(WorldItem(id: itemCount, purchase: purchase, user: user))
      if dice.chance(10) { continue }
      let created = (at - dice.number(0...(dice.chance(80) ? 120 : 900))) / 30 * 30
      var order = WorldOrder(
        id: nextOrderID, user: user, product: product.id, created: created, updated: created + 2 * hour, price: product.price,
        currency: "CNY")
      setStatus(&order, at: at, revoked: nil)
      world.orders.append(order)
    }
  }

  mutating func chain(_ first: ApplePurchase, period: Second) {
    var purchase = first
    var at = second(first.purchasedAt)
    for index in 0..<dice.number(1...4) {
      purchase.webOrderLineItemID = "9\(purchase.transactionID)"
      purchase.expiresAt = timestamp(at + period)
      purchase.originalPurchasedAt = first.purchasedAt
      if index > 0 && dice.chance(10) { purchase.token = token() }
      if index == 0 || !dice.chance(15) {
        publish(purchase)
        if dice.chance(12) {
          publish(
            purchase.with {
              $0.transactionID = id(); if dice.chance(50) { $0.token = nil }
            })
        }
        if dice.chance(5) {
          let other = freshInstant(at + 1, at + hour)
          publish(purchase.with { ($0.transactionID, $0.purchasedAt) = (id(), timestamp(other)) })
        }
      }
      let gap = dice.chance(15) ? dice.number(1...2) * period : 0
      at = freshInstant(at + period + gap, at + period + gap + 60)
      if at > World.end { return }
      purchase.transactionID = id()
      purchase.purchasedAt = timestamp(at)
      purchase.reason = dice.chance(85) ? "RENEWAL" : "PURCHASE"
    }
  }

  /// Adds a transaction in its variants: unchanged, repeated, refunded, reversed, forged.
  mutating func publish(_ purchase: ApplePurchase) {
    if dice.chance(5) {
      item(purchase, forged: true)
      if dice.chance(60) { return }
    }
    item(purchase)
    if dice.chance(12) {
      item(purchase.with { $0.signedAt = timestamp(freshInstant(second(purchase.purchasedAt) + 1, second(purchase.purchasedAt) + hour)) })
    }
    guard dice.chance(18) else { return }
    let at = second(purchase.purchasedAt)
    let revoked = freshInstant(at + 2 * hour, max(at + 3 * hour, World.end))
    var refund = purchase.with { ($0.revokedAt, $0.signedAt) = (timestamp(revoked), timestamp(revoked + 5)) }
    if purchase.ownership == "FAMILY_SHARED" {
      refund.revocationType = "FAMILY_REVOKE"
    } else if dice.chance(30) {
      refund.revocationType = "REFUND_PRORATED"
      refund.revocationPercentage = 50000
    }
    item(refund, notification: purchase.ownership == "FAMILY_SHARED" ? "REVOKE" : "REFUND")
    if dice.chance(30) {
      let reversed = freshInstant(revoked + hour, revoked + 2 * day)
      item(purchase.with { $0.signedAt = timestamp(reversed) }, notification: "REFUND_REVERSED")
    }
  }

  mutating func item(_ purchase: ApplePurchase, forged: Bool = false, notification: String? = nil) {
    itemCount += 1
    var item = WorldItem(id: itemCount, purchase: purchase, isForged: forged, notification: notification)
    if notification == nil && dice.chance(45) {
      item.user = dice.pick(userIDs)
      item.device = dice.chance(60) ? dice.pick(devices) : nil
    }
    world.items.append(item)
    if dice.chance(60) { world.orders.append(order(about: item)) }
    if dice.chance(12) { world.orders.append(order(about: item)) }
  }

  private var nextOrderID: String { "O\(world.orders.count < 9 ? "0" : "")\(world.orders.count + 1)" }

  mutating func order(about item: WorldItem) -> WorldOrder {
    let purchase = item.purchase
    let at = second(purchase.purchasedAt)
    let user = ownerOfToken(purchase.token).flatMap { dice.chance(80) ? $0 : nil } ?? item.user ?? dice.pick(userIDs)
    var created = at - dice.number(0...(dice.chance(70) ? 600 : 5 * hour))
    if dice.chance(6) { created = at + dice.number(0...600) }
    if dice.chance(6) { created = at + dice.number(5...12) * day }
    if dice.chance(6) { created = at - dice.number(1...15) * day }
    created = min(created, World.end - hour) / 60 * 60
    let price = dice.chance(85) ? purchase.priceMilliunits : nil
    var order = WorldOrder(
      id: nextOrderID, user: user, product: purchase.productID,
      bundle: World.bundles.contains(purchase.bundleID) ? purchase.bundleID : World.bundles[0], created: created,
      updated: created + 2 * hour, environment: purchase.environment, quantity: purchase.quantity, price: price,
      currency: price == nil ? nil : purchase.currency)
    if dice.chance(7) { order.user = dice.pick(userIDs) }
    if dice.chance(6) { order.product = dice.pick(products).id }
    if dice.chance(5) { order.bundle = dice.pick(World.bundles) }
    if dice.chance(7) { order.environment = dice.pick(["Production", "Sandbox"]) }
    if dice.chance(5) { order.quantity = dice.number(1...2) }
    if dice.chance(6) { order.price = 4321; order.currency = "CNY" }
    if dice.chance(35) { order.device = dice.pick(devices) }
    let roll = dice.below(100)
    if roll < 22 { order.token = purchase.token ?? dice.pick(orderTokens) }
    if roll >= 22 && roll < 55 || roll >= 97 { order.transactionID = purchase.transactionID }
    if roll >= 55 && roll < 63 { order.lineItem = purchase.webOrderLineItemID }
    if roll >= 60 && roll < 70 || dice.chance(5) { order.originalTransactionID = purchase.originalTransactionID }
    if roll >= 70 && roll < 78 { order.evidenceItem = item.id }
    if roll >= 76 && roll < 86, let index = world.items.firstIndex(where: { $0.id == item.id }), item.notification == nil {
      world.items[index].order = order.id
      if world.items[index].user == nil { world.items[index].user = order.user }
    }
    if dice.chance(4) { order.transactionID = "999" }
    // Many platforms name the subscription's first transaction in every order. Some leave an old id in the order of another
    // product.
    if purchase.originalTransactionID != purchase.transactionID, dice.chance(20) {
      order.transactionID = purchase.originalTransactionID
      order.lineItem = nil
      order.originalTransactionID = dice.chance(50) ? nil : purchase.originalTransactionID
    }
    if dice.chance(6), let old = world.items.first?.purchase, old.productID != order.product { order.transactionID = old.transactionID }
    setStatus(&order, at: at, revoked: purchase.revokedAt.map(second))
    if purchase.expiresAt != nil, dice.chance(35), let expires = purchase.expiresAt {
      order.entitlement = second(expires) + dice.pick([0, 0, 120, -day, day, 3 * day])
    }
    return order
  }

  mutating func setStatus(_ order: inout WorldOrder, at: Second, revoked: Second?) {
    switch dice.below(100) {
    case ..<50: order.status = "delivered"
    case ..<65: order.status = "paid"
    case ..<80: order.status = "created"
    case ..<88: order.status = "cancelled"
    case ..<97: order.status = "refunded"
    default: order.status = "revoked"
    }
    if revoked != nil && dice.chance(50) { order.status = "refunded" }
    let paid = dice.chance(70) ? order.created : min(max(order.created, at) + dice.number(0...600), World.end)
    switch order.status {
    case "delivered", "refunded", "revoked":
      order.paid = dice.chance(90) ? paid : nil
      order.delivered = dice.chance(90) ? paid + dice.number(0...900) : nil
      if order.status == "refunded" {
        order.refunded = dice.chance(90) ? (revoked ?? min(paid + dice.number(1...100) * hour, World.end)) + 60 : nil
      }
    case "paid": order.paid = dice.chance(90) ? paid : nil
    case "cancelled":
      order.delivered = dice.chance(10) ? paid : nil
      order.paid = dice.chance(30) ? paid : nil
    default: break
    }
  }

  func ownerOfToken(_ token: String?) -> String? {
    guard let token, let index = userTokens.firstIndex(of: token), index < userIDs.count else { return nil }
    return userIDs[index]
  }
}
