/// The matches of a component, and what the ladder left open.
public struct Decision: Sendable {
  /// By order.
  public var matches: [Match] = []
  /// Orders that claim something and have no match, each with the one class that says why. By order.
  public var refusals: [Refusal] = []
  /// Charges that paid an order which another charge had paid. By charge.
  public var secondCharges: [SecondCharge] = []
  /// Candidates among which nothing decides (M7). By charge, then rank.
  public var ambiguities: [Ambiguity] = []
  /// The user of each subscription whose owner is known. By chain.
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

/// Why an order has no match although it claims something.
public struct Refusal: Hashable, Sendable {
  public var order: Int
  public var reason: RefusalClass
  public var rung: Rung
  /// The charge that was refused; nil if the evidence proves none.
  public var charge: Int?
  public var evidence: ID?
  /// The order that has the charge.
  public var holder: Int?
  /// Whether the order names the charge or its evidence; a token or a period names nothing.
  public var isExplicit: Bool
}

/// A charge that paid an order again.
public struct SecondCharge: Hashable, Sendable {
  public var charge: Int
  public var order: Int
}

/// An order that an open charge could belong to, beside others.
public struct Ambiguity: Hashable, Sendable {
  public var charge: Int
  public var order: Int
  /// From 1.
  public var rank: Int
  public var tie: UserTie
  /// From the order to the purchase; negative if the purchase came first.
  public var delay: Microseconds
}

/// How a charge without token leads to a user.
public enum UserTie: Int, Comparable, Sendable {
  /// The user was seen on the device that uploaded the evidence.
  case device
  /// The token or the subscription names the user.
  case owner
  /// The user uploaded the evidence.
  case uploader

  public static func < (one: UserTie, other: UserTie) -> Bool { one.rawValue < other.rawValue }
}

/// Whose a subscription is.
public struct ChainOwner: Hashable, Sendable {
  public var chain: ID
  public var user: ID
}

/// A rung of the ladder; a smaller one outranks a greater one.
public enum Rung: Int, Comparable, CaseIterable, Sendable {
  case decided, transactionID, appAccountToken, lineItem, chain, evidence, singleCandidate, ambiguous

  public static func < (one: Rung, other: Rung) -> Bool { one.rawValue < other.rawValue }

  /// `M0` to `M7`.
  public var code: String { "M\(rawValue)" }

  /// - Parameter code: `M0` to `M7`; nil for another one.
  public init?(code: String) {
    guard let rung = Rung.allCases.first(where: { $0.code == code }) else { return nil }
    self = rung
  }

  /// Whether the order names the charge on this rung.
  var isClaim: Bool { self == .transactionID || self == .lineItem || self == .evidence }
}

/// The class of a refused claim. Of several, the one that stands first here is reported.
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
  /// Another order of the user has the charge, and not both were delivered.
  case orderNoTransaction = "ORDER_NO_TX"

  /// Position among the classes; a smaller one is reported first.
  var priority: Int {

    RefusalClass.allCases.firstIndex(of: self) ?? RefusalClass.allCases.count
  }
}

/// The spans by which rungs compare instants.
public struct LadderSettings: Sendable {
  /// Longest time from an order to its purchase; also the longest time that a renewal's order is booked ahead.
  public var window: Microseconds
  /// The same where a family organizer may have to approve the purchase (Ask to Buy).
  public var askToBuyWindow: Microseconds
  /// Difference of clocks that does not count.
  public var clockSkew: Microseconds
  /// Longest time from a purchase to the order that claims it.
  public var lateVerificationAfter: Microseconds

  public init(window: Microseconds, askToBuyWindow: Microseconds, clockSkew: Microseconds, lateVerificationAfter: Microseconds) {
    (self.window, self.askToBuyWindow) = (window, askToBuyWindow)
    (self.clockSkew, self.lateVerificationAfter) = (clockSkew, lateVerificationAfter)
  }
}
