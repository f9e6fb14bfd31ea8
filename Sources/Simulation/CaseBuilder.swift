internal import Cryptography
internal import SimulatedSigning

/// The signing authorities of a world.
struct Signers: Sendable {
  let genuine: SimulatedAuthority
  let forgers: [SimulatedAuthority]

  init(seed: UInt64) {
    genuine = SimulatedAuthority(seed: seed)
    forgers = [
      SimulatedAuthority(seed: seed, variant: .otherRoot),
      SimulatedAuthority(seed: seed, variant: .expiredLeaf),
      SimulatedAuthority(seed: seed, variant: .leafWithoutMarker),
      SimulatedAuthority(seed: seed, variant: .intermediateWithoutMarker),
    ]
  }
}

/// Creates one case: its customers, charges, orders, evidence and truth.
///
/// A case uses only its own random stream and its own customers. Cases therefore never interact by accident, and their order of creation
/// does not matter.
struct CaseBuilder {
  static let identifiersPerCase: Int64 = 32

  let index: Int
  /// The kinds of all cases of the world by number; empty in worlds without a plan.
  let plan: [CaseKind]
  let signers: Signers
  var random: RandomSource
  var output: CaseOutput
  var customers: Int64 = 0
  var charges: Int64 = 0
  var noise: NoiseSource
  private var orderNumber: Int64 = 0

  init(index: Int, seed: UInt64, signers: Signers, output: consuming CaseOutput, noise: Noise = .none, plan: [CaseKind] = []) {
    self.index = index
    self.signers = signers
    self.output = output
    random = RandomSource(seed: seed, stream: UInt64(index))
    self.noise = NoiseSource(noise, seed: seed, index: index, cases: plan.count)
    self.plan = plan
  }

  // MARK: Customers

  enum TokenUse { case perUser, none }

  /// Adds a customer with a separate device, unless `device` is shared.
  mutating func customer(
    _ tokens: TokenUse = .perUser, app: App? = nil, store: Int? = nil, named name: String? = nil,
    isTester: Bool = false, sharing device: String? = nil
  ) -> Customer {
    let number = Int64(index) * Self.identifiersPerCase + customers
    customers += 1
    precondition(customers <= Self.identifiersPerCase, "a case has too many customers")
    let token = tokens == .perUser ? random.uuid() : nil
    let own = device ?? random.uuid()
    let person = Customer(
      userID: name ?? "u\(number)", token: token, deviceID: device ?? noise.sharedDevice() ?? own,
      app: app ?? (random.percent(65) ? .reader : .kids),
      store: store ?? random.weighted(Storefront.all.map(\.weight)))
    output.users.row(
      person.userID, person.token, person.storefront.country, isTester ? "true" : "false",
      Calendar.start - random.between(1, 400 * Span.day), nil as String?)
    output.counts.users += 1
    return person
  }

  static let usersHeader = "user_id,app_account_token,home_storefront,is_tester,created_at,erased_at\n"

  mutating func moment(_ customer: Customer, from first: Int = 0, to last: Int = 14) -> Instant {
    Calendar.moment(&random, in: customer.storefront, from: first, to: last)
  }

  // MARK: Apple's side

  mutating func appleID() -> String {
    let number = Int64(index) * Self.identifiersPerCase + charges
    charges += 1
    precondition(charges <= Self.identifiersPerCase, "a case has too many Apple ids")
    return String(440_000_000_000_000 + number)
  }

  func lineItem(of transactionID: String) -> String { String(1_000_000_000_000_000 + (Int64(transactionID) ?? 0)) }

  /// Creates a charge at the catalogue's price with the customer's token.
  mutating func charge(_ customer: Customer, _ product: Product, at instant: Instant, quantity: Int64 = 1) -> Charge {
    let identifier = appleID()
    let renews = product.kind == .autoRenewable
    output.counts.charges += 1
    return Charge(
      bundle: product.bundle, product: product, storefront: customer.storefront,
      transactionID: identifier, originalID: identifier, lineItem: renews ? lineItem(of: identifier) : nil, token: customer.token,
      purchasedAt: instant, originallyPurchasedAt: instant,
      expiresAt: renews ? instant + product.days * Span.day : nil,
      quantity: quantity, price: product.prices[customer.store] * quantity,
      appTransactionID: "70\(440_000_000_000_000 + Int64(index))")
  }

  /// Returns the charge of a subscription's next period.
  mutating func renewal(of charge: Charge) -> Charge {
    var next = charge
    next.transactionID = appleID()
    next.lineItem = lineItem(of: next.transactionID)
    next.purchasedAt = charge.expiresAt ?? charge.purchasedAt
    next.expiresAt = next.purchasedAt + next.product.days * Span.day
    next.reason = "RENEWAL"
    next.offer = nil
    output.counts.charges += 1
    return next
  }

  func sign(_ charge: Charge, at instant: Instant) -> [UInt8] {
    signers.genuine.sign(charge.payload(signedAt: instant))
  }

  /// Uploads one signed item from a client; returns its SHA-256.
  @discardableResult
  mutating func upload(
    _ item: [UInt8], by customer: Customer, at instant: Instant, orderID: String? = nil
  ) -> String {
    let received = instant + random.between(1, 20)
    var line = TextBuffer(capacity: item.count + 250)
    line.open()
    line.member("evidence", bytes: item)
    line.key("received_at")
    line.add("\"")
    line.add(instant: received)
    line.add("\",")
    line.member("source", "client")
    line.member("user_id", customer.userID)
    line.member("device_id", customer.deviceID)
    line.member("order_id", orderID)
    line.close()
    line.newline()
    add(line: line.bytes, copies: random.percent(2) ? 2 : 1)
    return SHA256.hex(item)
  }

  /// Uploads a charge from a client, signed just before; some are signed and uploaded twice.
  @discardableResult
  mutating func upload(_ charge: Charge, by customer: Customer, at instant: Instant? = nil, orderID: String? = nil) -> String {
    let moment = instant ?? charge.purchasedAt + 2
    if random.percent(2) {
      let later = moment + random.between(30, 1800)
      upload(sign(charge, at: later), by: customer, at: later, orderID: orderID)
    }
    return upload(sign(charge, at: moment), by: customer, at: moment, orderID: orderID)
  }

  mutating func add(line: [UInt8], copies: Int = 1) {
    for _ in 0..<copies { output.evidence.append(line) }
    output.counts.evidence += copies
  }

  // MARK: Our side

  /// Creates the order of one unit at the catalogue's price.
  mutating func order(_ customer: Customer, _ product: Product, at instant: Instant) -> Order {
    let number = Int64(index) * Self.identifiersPerCase + orderNumber
    orderNumber += 1
    return Order(
      orderID: "A\(2_026_000_000_000 + number)", bundle: product.bundle, product: product.identifier,
      userID: customer.userID, createdAt: instant, price: product.prices[customer.store], currency: customer.storefront.currency,
      storefront: customer.storefront.country, deviceID: customer.deviceID)
  }

  /// Creates the order of a charge: created just before it, paid and delivered just after it.
  mutating func order(_ customer: Customer, for charge: Charge, lead: Int64? = nil) -> Order {
    let before = lead ?? random.between(20, 180)
    var order = order(customer, charge.product, at: charge.purchasedAt - before)
    order.environment = charge.environment
    order.quantity = charge.quantity
    order.price = charge.price
    fulfil(&order, at: charge.purchasedAt)
    order.entitlementExpiresAt = charge.expiresAt
    return order
  }

  /// Creates the order of a charge, which names the transaction.
  mutating func order(_ customer: Customer, naming charge: Charge) -> Order {
    var order = order(customer, for: charge)
    order.transactionID = charge.transactionID
    return order
  }

  /// Marks an order as paid and delivered within seconds.
  mutating func fulfil(_ order: inout Order, at instant: Instant) {
    let paid = instant + random.between(2, 30)
    order.status = "delivered"
    order.paidAt = paid
    order.deliveredAt = paid + random.between(1, 8)
  }

  mutating func book(_ order: Order) {
    var order = order
    noise.skew(&order)
    order.write(to: &output.orders)
    output.counts.orders += 1
  }

  /// Books an order that must match a charge.
  mutating func book(_ order: Order, matching charge: Charge, _ rung: String) {
    book(order)
    match(order, charge, rung)
  }

  // MARK: Truth

  mutating func match(_ order: Order, _ charge: Charge, _ rung: String) {
    output.matches.row(order.orderID, charge.transactionID, rung)
    output.counts.rungs[rung, default: 0] += 1
  }

  /// Records the truth about a delivered order and its charge, depending on the delivery of the charge's evidence.
  ///
  /// - Parameter rung: nil when only an upload identifies the charge's customer.
  mutating func match(_ order: Order, _ charge: Charge, _ rung: String?, _ delivery: Delivery) {
    if delivery == .lost {
      expect("ORDER_NO_TX", order: order)
    } else if let rung {
      match(order, charge, rung)
    } else if delivery == .uploaded {
      match(order, charge, "M6")
    } else {
      expect("ORDER_NO_TX", order: order)
      expect("TX_NO_ORDER", charge: charge)
    }
  }

  /// Records an expected difference.
  ///
  /// - Parameter isPending: whether it is within its grace time at the as-of.
  mutating func expect(_ name: String, order: Order? = nil, charge: Charge? = nil, evidence: String? = nil, isPending: Bool = false) {
    if isPending {
      output.pending.row(name, order?.orderID, charge?.transactionID)
      output.counts.pending[name, default: 0] += 1
    } else {
      output.breaks.row(name, order?.orderID, charge?.transactionID, evidence)
      output.counts.breaks[name, default: 0] += 1
    }
  }
}
