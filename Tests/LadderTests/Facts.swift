/// Facts of a test by name, numbered for the ladder. Orders and charges are sorted by name.
struct Facts {
  static let hour: Microseconds = 3_600_000_000
  static let settings = LadderSettings(
    window: 24 * hour, askToBuyWindow: 14 * 24 * hour, clockSkew: hour / 12, lateVerificationAfter: 7 * 24 * hour)

  var component = Component()
  private(set) var orderNames: [String] = []
  private(set) var chargeNames: [String] = []
  private var numbers: [String: ID] = ["Production": 0]

  init(_ orders: [OrderFact], _ charges: [ChargeFact]) {
    for order in orders { add(order) }
    for charge in charges { add(charge) }
  }

  private mutating func number(_ name: String?) -> ID? {
    guard let name else { return nil }
    let number = numbers[name] ?? ID(numbers.count)
    numbers[name] = number
    return number
  }

  private mutating func productKey(_ environment: String, _ app: String, _ product: String) -> ProductKey {
    ProductKey(environment: Environment(id: number(environment) ?? 0), app: number(app) ?? 0, product: number(product) ?? 0)
  }

  private mutating func add(_ fact: OrderFact) {
    orderNames.append(fact.name)
    component.orders.append(
      Order(
        productKey: productKey(fact.environment, fact.app, fact.product), user: number(fact.user) ?? 0, status: fact.status,
        quantity: fact.quantity, createdAt: Microseconds(fact.hours * Double(Self.hour)),
        deliveredAt: fact.status == .delivered ? Microseconds(fact.hours * Double(Self.hour)) : nil,
        accessUntil: fact.accessHours.map { Microseconds($0 * Double(Self.hour)) }, token: number(fact.token),
        transaction: number(fact.transaction), original: number(fact.original), lineItem: number(fact.lineItem),
        device: number(fact.device)))
  }

  private mutating func add(_ fact: ChargeFact) {
    let index = chargeNames.count
    chargeNames.append(fact.name)
    let original = fact.original ?? fact.name
    component.charges.append(
      Charge(
        productKey: productKey(fact.environment, fact.app, fact.product), original: number(original) ?? 0,
        chain: fact.expiresHours == nil ? nil : number("chain \(fact.environment) \(fact.app) \(original)"),
        lineItem: number(fact.lineItem), token: number(fact.token), quantity: fact.quantity,
        purchasedAt: Microseconds(fact.hours * Double(Self.hour)),
        expiresAt: fact.expiresHours.map { Microseconds($0 * Double(Self.hour)) }, isRenewal: fact.isRenewal,
        isFamilyShared: fact.isFamilyShared))
    component.aliases.append(Alias(transaction: number(fact.name) ?? 0, charge: index))
  }

  func holding(_ token: String, _ user: String) -> Facts {
    changed { $0.component.tokenHolders.append(TokenHolder(token: $0.number(token) ?? 0, user: $0.number(user) ?? 0)) }
  }

  /// Adds an upload of a charge's evidence by a user or a device.
  func uploading(_ charge: String, user: String? = nil, device: String? = nil) -> Facts {
    changed {
      let index = $0.chargeNames.firstIndex(of: charge)
      $0.component.uploads.append(Upload(charge: index, user: $0.number(user), device: $0.number(device)))
    }
  }

  /// Adds evidence of an order that decodes to a charge.
  func showing(_ order: String, _ charge: String, isListed: Bool = false) -> Facts {
    changed {
      guard let order = $0.orderNames.firstIndex(of: order), let charge = $0.chargeNames.firstIndex(of: charge) else { return }
      $0.component.evidence.append(EvidenceClaim(order: order, charge: charge, evidence: nil, isListed: isListed))
    }
  }

  /// Adds evidence that an order carries and that proves no purchase.
  func forging(_ order: String, _ reason: UnprovenClaim.Reason = .forged) -> Facts {
    changed {
      guard let order = $0.orderNames.firstIndex(of: order) else { return }
      $0.component.unproven.append(UnprovenClaim(order: order, evidence: nil, reason: reason, way: .evidence))
    }
  }

  func deciding(_ action: PairDecision.Action, _ order: String, _ charge: String) -> Facts {
    changed {
      guard let order = $0.orderNames.firstIndex(of: order), let charge = $0.chargeNames.firstIndex(of: charge) else { return }
      $0.component.decisions.append(PairDecision(order: order, charge: charge, action: action))
    }
  }

  private func changed(_ change: (inout Facts) -> Void) -> Facts {
    var copy = self
    change(&copy)
    return copy
  }

  /// Decisions of the ladder as lines: `o1 c1 M1`, `o2 DUP_DELIVERY c1`, `c2 pays o1 again`, `c3 o4 ambiguous`.
  var decided: [String] {
    let decision = Ladder.decide(component, Self.settings)
    return decision.matches.map { "\(orderNames[$0.order]) \(chargeNames[$0.charge]) \($0.rung.code)" }
      + decision.refusals.map { "\(orderNames[$0.order]) \($0.reason.rawValue) \($0.charge.map { chargeNames[$0] } ?? "-")" }
      + decision.secondCharges.map { "\(chargeNames[$0.charge]) pays \(orderNames[$0.order]) again" }
      + decision.ambiguities.map { "\(chargeNames[$0.charge]) \(orderNames[$0.order]) ambiguous" }
  }
}

/// An order with its instants in hours.
struct OrderFact {
  var name: String
  var user = "u1"
  var hours: Double
  var status: Order.Status
  var app = "reader"
  var product: String
  var environment = "Production"
  var quantity: Int32 = 1
  var token: String?
  var transaction: String?
  var original: String?
  var lineItem: String?
  var device: String?
  var accessHours: Double?

  /// - Parameter transaction: transaction id that the order names.
  init(
    _ name: String, _ user: String = "u1", at hours: Double = 0, product: String = "coins", names transaction: String? = nil,
    token: String? = nil, status: Order.Status = .delivered, _ change: (inout OrderFact) -> Void = { _ in }
  ) {
    (self.name, self.user, self.hours, self.status) = (name, user, hours, status)
    (self.product, self.transaction, self.token) = (product, transaction, token)
    change(&self)
  }
}

/// A charge with its instants in hours. Its name is its transaction id, and by default also its original id.
struct ChargeFact {
  var name: String
  var hours = 0.1
  var app = "reader"
  var product = "coins"
  var environment = "Production"
  var quantity: Int32 = 1
  var original: String?
  var lineItem: String?
  var token: String?
  /// End of a subscription's period; nil for other charges.
  var expiresHours: Double?
  var isRenewal = false
  var isFamilyShared = false

  init(_ name: String, at hours: Double = 0.1, token: String? = nil, _ change: (inout ChargeFact) -> Void = { _ in }) {
    (self.name, self.hours, self.token) = (name, hours, token)
    change(&self)
  }

  /// Returns a month of a subscription that began with transaction `original`; month 0 is the first one.
  static func month(_ name: String, _ month: Int, of original: String, token: String? = nil) -> ChargeFact {
    ChargeFact(name, at: Double(month) * 720, token: token) {
      ($0.original, $0.product, $0.lineItem) = (original, "vip", "line \(name)")
      ($0.expiresHours, $0.isRenewal) = (Double(month + 1) * 720, month > 0)
    }
  }

  /// Returns a month of another product, or of the same after a refund, bought within a subscription.
  static func upgrade(_ name: String, at hours: Double, of original: String, to product: String, token: String? = nil) -> ChargeFact {
    ChargeFact(name, at: hours, token: token) {
      ($0.original, $0.product, $0.lineItem, $0.expiresHours) = (original, product, "line \(name)", hours + 720)
    }
  }
}
