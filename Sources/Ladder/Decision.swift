/// The matches of a component, and the orders and charges that the ladder left open.
public struct Decision: Sendable {
  /// By order.
  public var matches: [Match] = []
  /// Orders that claim something and have no match, each with one class. By order.
  public var refusals: [Refusal] = []
  /// Charges that paid an order which another charge had already paid. By charge.
  public var secondCharges: [SecondCharge] = []
  /// Tied candidates (M7). By charge, then rank.
  public var ambiguities: [Ambiguity] = []
  /// The owner of each subscription for which it is known. By chain.
  public var chainOwners: [ChainOwner] = []

  public init() {}
}

/// An order and the charge that paid it.
public struct Match: Hashable, Sendable {
  public var order: Int
  public var charge: Int
  public var rung: Rung

  public init(order: Int, charge: Int, rung: Rung) { (self.order, self.charge, self.rung) = (order, charge, rung) }
}

/// The reason why an order has no match although it claims something.
public struct Refusal: Hashable, Sendable {
  public var order: Int
  public var reason: RefusalClass
  public var rung: Rung
  /// The refused charge; nil if the evidence proves none.
  public var charge: Int?
  public var evidence: ID?
  /// The order that is matched with the charge.
  public var holder: Int?
  /// Whether the order names the charge or its evidence. A token or a period names no charge.
  public var isExplicit: Bool
}

/// A charge that paid an order again.
public struct SecondCharge: Hashable, Sendable {
  public var charge: Int
  public var order: Int
}

/// One of several orders that could belong to an open charge.
public struct Ambiguity: Hashable, Sendable {
  public var charge: Int
  public var order: Int
  /// Position among the candidates of the charge, from 1.
  public var rank: Int
  public var tie: UserTie
  /// Time from the order to the purchase; negative if the purchase came first.
  public var delay: Microseconds
}

/// The way in which a charge leads to the user of a candidate.
public enum UserTie: String, Comparable, Sendable {
  /// The user was seen on the device that uploaded the evidence.
  case device
  /// The token or the subscription names the user, or orders of several users carry the token, this user's among them.
  case owner
  /// The user uploaded the evidence.
  case uploader

  public static func < (one: UserTie, other: UserTie) -> Bool { one.strength < other.strength }

  private var strength: Int {
    switch self {
    case .device: 0
    case .owner: 1
    case .uploader: 2
    }
  }
}

/// The owner of a subscription.
public struct ChainOwner: Hashable, Sendable {
  public var chain: ID
  public var user: ID
}

/// The class of a refused claim. If several apply, the first in this order is reported. Not every refusal is a break: detect leaves out
/// what was not delivered or is allowed (sql/detect/classes/refused_claim.sql).
public enum RefusalClass: String, CaseIterable, Sendable {
  case forgedSignature = "FORGED_SIGNATURE"
  case bundleDiff = "BUNDLE_DIFF"
  case appIDDiff = "APP_ID_DIFF"
  case prodInSandbox = "PROD_IN_SANDBOX"
  case sandboxInProd = "SANDBOX_IN_PROD"
  case replayMultiUser = "REPLAY_MULTI_USER"
  case userDiff = "USER_DIFF"
  case productDiff = "PRODUCT_DIFF"
  case dupDelivery = "DUP_DELIVERY"
  case lateVerification = "LATE_VERIFICATION"
  /// The charge is matched with another order of the user, and at most one of the two was delivered.
  case orderNoTransaction = "ORDER_NO_TX"

  /// Position among the classes. The smallest is reported first.
  var priority: Int { RefusalClass.allCases.firstIndex(of: self) ?? RefusalClass.allCases.count }
}

/// The spans of time by which rungs compare instants.
public struct LadderSettings: Sendable {
  /// Longest time from an order to its purchase, and from a renewal's order to the renewal.
  public var window: Microseconds
  /// Longest time from an order to its purchase if a family organizer may have to approve it (Ask to Buy).
  public var askToBuyWindow: Microseconds
  /// Tolerated difference between clocks.
  public var clockSkew: Microseconds
  /// Longest time from a purchase to the order that claims it.
  public var lateVerificationAfter: Microseconds

  public init(window: Microseconds, askToBuyWindow: Microseconds, clockSkew: Microseconds, lateVerificationAfter: Microseconds) {
    (self.window, self.askToBuyWindow) = (window, askToBuyWindow)
    (self.clockSkew, self.lateVerificationAfter) = (clockSkew, lateVerificationAfter)
  }
}
