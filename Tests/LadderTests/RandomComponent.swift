extension Dice {
  mutating func id(below count: Int, percent: Int) -> ID? { chance(percent) ? ID(below(count)) : nil }
}

/// Random components with few users, tokens, devices and subscriptions, so that many collide.
enum RandomComponent {
  private static let idCount: ID = 6

  static func make(_ dice: inout Dice) -> Component {
    var component = Component()
    for _ in 0..<dice.below(7) { component.orders.append(order(&dice)) }
    for number in 0..<dice.below(7) {
      component.charges.append(charge(number, &dice))
      component.aliases.append(Alias(transaction: ID(number), charge: number))
    }
    for _ in 0..<dice.below(4) {
      component.tokenHolders.append(TokenHolder(token: ID(dice.below(4)), user: ID(dice.below(3))))
    }
    guard !component.charges.isEmpty else { return component }
    for _ in 0..<dice.below(4) {
      component.uploads.append(
        Upload(charge: dice.below(component.charges.count), user: dice.id(below: 3, percent: 70), device: dice.id(below: 3, percent: 40)))
    }
    guard !component.orders.isEmpty else { return component }
    var shown: Set<[Int]> = []
    for _ in 0..<dice.below(3) {
      let (order, charge) = (dice.below(component.orders.count), dice.below(component.charges.count))
      guard shown.insert([order, charge]).inserted else { continue }
      component.evidence.append(EvidenceClaim(order: order, charge: charge, evidence: nil, isListed: dice.chance(40)))
    }
    return component
  }

  private static func productKey(_ dice: inout Dice) -> ProductKey {
    ProductKey(environment: Environment(id: dice.chance(90) ? 0 : 1), app: dice.chance(95) ? 0 : 1, product: ID(dice.below(2)))
  }

  private static func order(_ dice: inout Dice) -> Order {
    let statuses: [Order.Status] = [.created, .paid, .delivered, .delivered, .cancelled, .refunded]
    let created = Microseconds(dice.below(24 * 80)) * Facts.hour
    let status = statuses[dice.below(statuses.count)]
    return Order(
      productKey: productKey(&dice), user: ID(dice.below(3)), status: status, createdAt: created,
      deliveredAt: status == .delivered ? created : nil, token: dice.id(below: 4, percent: 40),
      transaction: dice.id(below: Int(idCount), percent: 30), original: dice.id(below: 3, percent: 10),
      lineItem: dice.id(below: Int(idCount), percent: 10), device: dice.id(below: 3, percent: 30))
  }

  private static func charge(_ number: Int, _ dice: inout Dice) -> Charge {
    let productKey = productKey(&dice)
    let purchased = Microseconds(dice.below(24 * 80)) * Facts.hour
    let isSubscription = productKey.product == 1
    let original = ID(isSubscription ? dice.below(2) : 10 + number)
    return Charge(
      productKey: productKey, original: original,
      // One number for each app, environment and original id.
      chain: isSubscription ? original * 4 + productKey.environment.id * 2 + productKey.app : nil, lineItem: ID(number),
      token: dice.id(below: 4, percent: 50), purchasedAt: purchased, expiresAt: isSubscription ? purchased + 720 * Facts.hour : nil,
      isRenewal: isSubscription && dice.chance(60), isFamilyShared: dice.chance(5))
  }

  /// Returns a union of two components without a common number.
  static func joined(_ one: Component, _ other: Component) -> Component {
    let shift: ID = 100
    var both = one
    func shifted(_ id: ID?) -> ID? { id.map { $0 + shift } }
    for var order in other.orders {
      (order.user, order.token, order.device) = (order.user + shift, shifted(order.token), shifted(order.device))
      (order.transaction, order.original, order.lineItem) = (shifted(order.transaction), shifted(order.original), shifted(order.lineItem))
      both.orders.append(order)
    }
    for var charge in other.charges {
      (charge.original, charge.chain) = (charge.original + shift, shifted(charge.chain))
      (charge.lineItem, charge.token) = (shifted(charge.lineItem), shifted(charge.token))
      both.charges.append(charge)
    }
    both.aliases += other.aliases.map { Alias(transaction: $0.transaction + shift, charge: $0.charge + one.charges.count) }
    both.tokenHolders += other.tokenHolders.map { TokenHolder(token: $0.token + shift, user: $0.user + shift) }
    both.uploads += other.uploads.map {
      Upload(charge: $0.charge.map { $0 + one.charges.count }, user: shifted($0.user), device: shifted($0.device))
    }
    both.evidence += other.evidence.map {
      EvidenceClaim(order: $0.order + one.orders.count, charge: $0.charge + one.charges.count, evidence: nil, isListed: $0.isListed)
    }
    return both
  }
}
