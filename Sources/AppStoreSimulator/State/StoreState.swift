/// The state of one of Apple's stores for one app, under a simulated clock.
///
/// The state is a value: the same seed and the same calls give the same identifiers, dates and notifications.
public struct StoreState: Sendable {
  public let environment: StoreEnvironment
  public internal(set) var app: SimulatedApp
  public internal(set) var now: Moment
  /// Every notification in order of creation.
  public internal(set) var notifications: [StoreNotification] = []

  var identifiers: Identifiers
  var customers: [String: Customer] = [:]
  var transactions: [String: Transaction] = [:]
  var subscriptions: [String: Subscription] = [:]
  var orders: [String: [String]] = [:]
  var events = EventQueue()
  /// Positions of notifications that await delivery.
  var undelivered: [Int] = []
  /// Whether a receiver is set; without one, each notification counts as delivered at once.
  var hasReceiver = false
  /// Results of the next delivery attempts, in place of the receiver's.
  var scriptedResults: [String] = []
  var sequence = 0

  public init(environment: StoreEnvironment, app: SimulatedApp, seed: UInt64, now: Moment) {
    self.environment = environment
    self.app = app
    self.now = now
    identifiers = Identifiers(seed: seed, environment: environment)
  }

  /// A customer with an Apple account who has the app.
  struct Customer: Sendable {
    let id: String
    /// appTransactionId in signed transactions; nil when they omit it, as on old devices.
    let appTransactionID: String?
    let storefront: Storefront
    let installedAt: Moment
    var transactions: [String] = []
    /// Original transaction id by subscription group.
    var subscriptions: [String: String] = [:]
  }

  // MARK: Customers

  /// Adds a customer and returns the name.
  ///
  /// - Parameters:
  ///   - name: nil generates one.
  ///   - statesAppTransaction: whether transactions carry the customer's appTransactionId.
  /// - Throws: `StoreError` for a name in use or a storefront that is not simulated.
  @discardableResult
  public mutating func addCustomer(_ name: String? = nil, storefront: String = "USA", statesAppTransaction: Bool = true) throws -> String {
    let id = name ?? "customer-\(customers.count + 1)"
    guard customers[id] == nil else { throw StoreError("cannot add customer \"\(id)\": the name is taken") }
    guard let store = Storefront.named(storefront) else {
      throw StoreError("cannot add customer \"\(id)\": storefront \"\(storefront)\" is not simulated")
    }
    customers[id] = Customer(
      id: id, appTransactionID: statesAppTransaction ? identifiers.appTransaction() : nil, storefront: store, installedAt: now)
    return id
  }

  // MARK: Look-ups

  public func transaction(_ id: String) -> Transaction? { transactions[id] }
  public func subscription(_ originalID: String) -> Subscription? { subscriptions[originalID] }
  public var transactionCount: Int { transactions.count }

  func customer(_ id: String) throws -> Customer { try required(customers[id], "customer \"\(id)\": no such name") }

  func product(_ id: String) throws -> Product {
    try required(app.products.first { $0.id == id }, "product \"\(id)\": the app does not sell it")
  }

  func requiredTransaction(_ id: String) throws -> Transaction {
    try required(transactions[id], "transaction \"\(id)\": the store has none with this identifier")
  }

  func requiredSubscription(_ originalID: String) throws -> Subscription {
    try required(subscriptions[originalID], "subscription \"\(originalID)\": no such original transaction")
  }

  private func required<Found>(_ found: Found?, _ fault: @autoclosure () -> String) throws -> Found {
    guard let found else { throw StoreError("cannot find \(fault())") }
    return found
  }

  // MARK: Changes that keep the indexes consistent

  mutating func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  mutating func add(_ transaction: Transaction) {
    var added = transaction
    added.sequence = nextSequence()
    transactions[added.id] = added
    customers[added.customer]?.transactions.append(added.id)
    orders[added.orderID, default: []].append(added.id)
  }

  /// Changes a transaction and moves it to the end of its customer's history.
  mutating func change(_ id: String, _ body: (inout Transaction) -> Void) {
    guard var transaction = transactions[id] else { return }
    body(&transaction)
    transaction.sequence = nextSequence()
    transactions[id] = transaction
  }

  /// Stores a subscription and schedules its next event.
  mutating func store(_ subscription: Subscription) {
    subscriptions[subscription.originalID] = subscription
    if let next = subscription.nextEvent { events.add(subscription.originalID, at: next) }
  }

  // MARK: Notifications

  /// Queues a notification with the current state of a transaction and its subscription.
  mutating func notify(_ type: String, _ subtype: String? = nil, transaction id: String, consumptionReason: String? = nil) {
    guard let transaction = transactions[id] else { return }
    let renewal = subscriptions[transaction.originalID].map { RenewalInfo(subscription: $0, transaction: transaction) }
    let place = notifications.count
    notifications.append(
      StoreNotification(
        uuid: identifiers.uuid(), type: type, subtype: subtype, signedAt: now, transaction: transaction,
        renewal: renewal, consumptionReason: consumptionReason))
    if hasReceiver {
      undelivered.append(place)
    } else {
      record(nextScriptedResult() ?? "SUCCESS", of: place)
    }
  }

  mutating func nextScriptedResult() -> String? { scriptedResults.isEmpty ? nil : scriptedResults.removeFirst() }
}
