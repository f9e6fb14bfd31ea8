/// A number that represents a text of the facts: a user, a token, a transaction id. Equal texts have equal numbers.
public typealias ID = Int32

/// Microseconds since 1970-01-01T00:00:00Z, or a span of microseconds.
public typealias Microseconds = Int64

/// The facts of one or more whole components. Users, tokens, devices, subscription chains and named ids connect their orders and charges.
/// No decision crosses the border of a component, so several may be decided together.
public struct Component: Sendable {
  /// Sorted by order id, byte by byte: a smaller index is a smaller id.
  public var orders: [Order] = []
  /// Sorted by charge id, byte by byte.
  public var charges: [Charge] = []
  /// Every transaction id under which a charge was reported.
  public var aliases: [Alias] = []
  /// Users who ever held a token.
  public var tokenHolders: [TokenHolder] = []
  /// The charges that the evidence of orders decodes to.
  public var evidence: [EvidenceClaim] = []
  /// Evidence that orders claim and that proves no purchase of ours.
  public var unproven: [UnprovenClaim] = []
  public var uploads: [Upload] = []
  /// Pairs that two reviewers decided on.
  public var decisions: [PairDecision] = []

  public init() {}
}

/// The product that an order or a charge is for, within an app and an environment.
public struct ProductKey: Hashable, Sendable {
  public var environment: Environment
  public var app: ID
  public var product: ID

  public init(environment: Environment, app: ID, product: ID) {
    (self.environment, self.app, self.product) = (environment, app, product)
  }
}

/// The App Store environment in which a purchase was made.
public struct Environment: Hashable, Sendable {
  public static let production = Environment(id: 0)
  public var id: ID

  public init(id: ID) { self.id = id }
}

public struct Order: Sendable {
  public enum Status: Sendable { case created, paid, delivered, cancelled, refunded, revoked }

  public var productKey: ProductKey
  public var user: ID
  public var status: Status
  public var quantity: Int32
  public var createdAt: Microseconds
  public var paidAt: Microseconds?
  public var deliveredAt: Microseconds?
  public var accessUntil: Microseconds?
  public var token: ID?
  public var transaction: ID?
  public var original: ID?
  public var lineItem: ID?
  public var device: ID?
  /// Whether the users file or the settings name the user as a tester.
  public var isTester: Bool

  public init(
    productKey: ProductKey, user: ID, status: Status, quantity: Int32 = 1, createdAt: Microseconds, paidAt: Microseconds? = nil,
    deliveredAt: Microseconds? = nil, accessUntil: Microseconds? = nil, token: ID? = nil, transaction: ID? = nil,
    original: ID? = nil, lineItem: ID? = nil, device: ID? = nil, isTester: Bool = false
  ) {
    (self.productKey, self.user, self.status, self.quantity) = (productKey, user, status, quantity)
    (self.createdAt, self.paidAt, self.deliveredAt, self.accessUntil) = (createdAt, paidAt, deliveredAt, accessUntil)
    (self.token, self.transaction, self.original, self.lineItem) = (token, transaction, original, lineItem)
    (self.device, self.isTester) = (device, isTester)
  }

  /// The rank of an order among those that claim one charge. The greatest rank wins.
  enum Standing: Int { case cart, cancelledAfterPayment, paidOrDelivered }

  var standing: Standing {
    if deliveredAt != nil || status != .created && status != .cancelled { return .paidOrDelivered }
    if paidAt == nil { return .cart }
    return status == .cancelled ? .cancelledAfterPayment : .paidOrDelivered
  }

  /// Whether the order was cancelled before it was delivered. Such an order needs no charge.
  var isCancelledUndelivered: Bool { status == .cancelled && !isDelivered }

  public var isPaidOrDelivered: Bool { standing == .paidOrDelivered }

  public var isDelivered: Bool { status == .delivered || deliveredAt != nil }

  /// The earlier of payment and delivery, or the creation if neither is known; nil while the order is only created.
  var settledAt: Microseconds? {
    if status == .created { return nil }
    return [paidAt, deliveredAt].compactMap { $0 }.min() ?? createdAt
  }
}

/// One payment by one customer.
public struct Charge: Sendable {
  public var productKey: ProductKey
  /// The original transaction id.
  public var original: ID
  /// The number of the subscription: the charges of one app, environment and original transaction id. nil if the product does not renew.
  public var chain: ID?
  public var lineItem: ID?
  public var token: ID?
  public var quantity: Int32
  public var purchasedAt: Microseconds
  public var expiresAt: Microseconds?
  /// Whether Apple reports a renewal. An upgrade or a resubscription is a later period of its subscription, but no renewal.
  public var isRenewal: Bool
  public var isFamilyShared: Bool

  public init(
    productKey: ProductKey, original: ID, chain: ID? = nil, lineItem: ID? = nil, token: ID? = nil, quantity: Int32 = 1,
    purchasedAt: Microseconds, expiresAt: Microseconds? = nil, isRenewal: Bool = false, isFamilyShared: Bool = false
  ) {
    (self.productKey, self.original, self.chain, self.lineItem, self.token) = (productKey, original, chain, lineItem, token)
    (self.quantity, self.purchasedAt, self.expiresAt) = (quantity, purchasedAt, expiresAt)
    (self.isRenewal, self.isFamilyShared) = (isRenewal, isFamilyShared)
  }
}

extension Charge {
  /// Whether the charge may be the later period of an order for `product`. An upgrade is no renewal and has another product.
  func mayHaveOrder(of product: ID) -> Bool { isRenewal || productKey.product == product }
}

public struct Alias: Sendable {
  public var transaction: ID
  public var charge: Int

  public init(transaction: ID, charge: Int) { (self.transaction, self.charge) = (transaction, charge) }
}

/// A user who held a token at some time.
public struct TokenHolder: Sendable {
  public var token: ID
  public var user: ID

  public init(token: ID, user: ID) { (self.token, self.user) = (token, user) }
}

/// A charge that an order's evidence decodes to, or evidence uploaded for the order.
public struct EvidenceClaim: Sendable {
  public var order: Int
  public var charge: Int
  /// The number of the hash that the order carries, sorted by hash; nil if the evidence was uploaded for the order.
  public var evidence: ID?
  /// Whether a receipt or an answer lists the charge together with others.
  public var isListed: Bool

  public init(order: Int, charge: Int, evidence: ID?, isListed: Bool) {
    (self.order, self.charge, self.evidence, self.isListed) = (order, charge, evidence, isListed)
  }
}

/// Evidence, or a transaction id, that an order claims and that proves no purchase of ours.
public struct UnprovenClaim: Sendable {
  public enum Reason: Sendable {
    case forged
    /// Signed by Apple for an app that is not in the settings.
    case otherApp
    /// Signed by Apple for our bundle id under another Apple app id.
    case otherAppleID
    /// Signed by Apple for an environment that is neither Production nor Sandbox.
    case wrongEnvironment
    /// Apple knows the transaction id in no environment.
    case unknownTransaction
  }
  /// The way in which the order claims the evidence.
  public enum Way: Sendable {
    /// The order names the transaction id in the evidence, and its user uploaded the evidence.
    case transaction
    /// The order carries the hash of the evidence, or the evidence was uploaded for the order.
    case evidence
  }

  public var order: Int
  /// nil for `.unknownTransaction`.
  public var evidence: ID?
  public var reason: Reason
  public var way: Way

  public init(order: Int, evidence: ID?, reason: Reason, way: Way) {
    (self.order, self.evidence, self.reason, self.way) = (order, evidence, reason, way)
  }
}

/// Evidence that our servers received from a user or a device.
public struct Upload: Sendable {
  /// nil if the evidence decodes to no charge.
  public var charge: Int?
  public var user: ID?
  public var device: ID?

  public init(charge: Int?, user: ID?, device: ID?) { (self.charge, self.user, self.device) = (charge, user, device) }
}

/// The decision of two reviewers about an order and a charge.
public struct PairDecision: Sendable {
  public enum Action: Sendable { case forcedMatch, unmatch, benignDuplicate }

  public var order: Int
  public var charge: Int
  public var action: Action

  public init(order: Int, charge: Int, action: Action) { (self.order, self.charge, self.action) = (order, charge, action) }
}
