/// The finding of one rung about an order, a charge, or both.
public enum Finding: Sendable {
  /// M1, M3 and M5.
  case name(NameFinding)
  /// M2.
  case token(TokenFinding)
  /// M4.
  case period(PeriodFinding)
  /// M6.
  case candidate(CandidateFinding)
}

/// A finding of M1, M3 or M5: the charges that orders name or show.
public enum NameFinding: Sendable {
  /// The order names the charge; the barrier is nil if they are matched.
  case named(Naming, Barrier?)
  /// The order shows evidence that lists the charge together with others. Without a barrier, another charge is nearer in time.
  case listed(Barrier?)
  case noTransaction, otherTransaction, unknownTransaction
  /// The order names the first transaction of a subscription but was created for a later period.
  case createdForLaterPeriod
  case noPurchase, otherLineItem, otherOriginal, unknownLineItem, unknownOriginal
  /// The order names the subscription, which does not identify the period.
  case subscription
  /// The order shows no evidence of a charge that it can have.
  case noEvidence
  /// The order names a charge that it cannot have, or one that two reviewers unmatched from it.
  case refusedClaim, unmatchedClaim
  /// An order names the charge but cannot have it.
  case claimed(order: Int, Naming)
  /// An order names the subscription, shows evidence that lists the charge with others, or is a benign duplicate that names the charge.
  case namedSubscription(order: Int), listedBeside(order: Int), benignDuplicate(order: Int)
  case notNamed
}

/// The way in which an order names a charge.
public enum Naming: Sendable { case transaction, lineItem, original, hash, upload }

/// A finding of M2: the orders or charges to which a token leads.
public enum TokenFinding: Sendable {
  case noToken, noTokenOfCharge, otherToken, otherTokens, sharedTokens, noChargeWithToken
  /// Number of users who held the token.
  case sharedToken(Int)
  /// The token leads to the order. `outranked` lists the orders of lower standing if the order has no equal, and is nil otherwise.
  case leads(outranked: [Int]?, Barrier?)
  /// The token also leads to orders of higher standing, of the same standing, or of other users.
  case better([Int]), equals([Int]), excludedByOwner([Int])
  /// The charge with the order's token that passed the most checks.
  case nearestCharge(Int, Barrier)
  /// The only user to whom the charge's token leads, and the open orders of the highest standing that carry it.
  case orders(ID?, [Int])
  case nearestOrder(ID?, Int, Barrier)
  /// No open order of the product carries the token. `hasOrder` is whether the token's user has any order of the product.
  case noOrder(ID?, hasOrder: Bool)
  case barred(Barrier)
}

/// A finding of M4: the order that was booked for a later period of a subscription.
public enum PeriodFinding: Sendable {
  case firstPeriod, unknownOwner
  /// The order was created in the booking time of the period.
  case booked(Barrier?)
  case otherTime
  case nearestPeriod(Int, Barrier), noPeriod
  case nearestOrder(Int, Barrier), noOrder(owner: ID)
  case barred(Barrier)
}

/// A finding of M6: the orders and charges that fit by user, product, quantity and time.
public enum CandidateFinding: Sendable {
  case single
  case assigned(byStanding: Bool, byTime: Bool)
  case contested(Barrier)
  case otherUsers(Barrier)
  /// No open charge of the order's user fits. The barrier is `familyShared` if it bars a charge of the product, else nil.
  case noCharge(hasUnmatched: Bool, Barrier?)
  /// No user is known whose order the charge could pay.
  case nothingLeads(isUploaded: Bool)
  case paysAgain(order: Int, uploaders: [ID])
  case noOrder(owner: ID?, uploaders: [ID], hasUnmatched: Bool)
  case barred(Barrier)
}

/// A reason that keeps an order and a charge apart.
public enum Barrier: Hashable, Sendable {
  case difference(Difference)
  /// M6 never matches such a charge.
  case familyShared
  case quantity
  /// The charge carries a token that was made for another order.
  case tokenOfOtherOrder
  /// The purchase is too early or too late for the order.
  case outsideWindow
  /// The token or the subscription belongs to another user.
  case tokenOwner(ID), chainOwner(ID)
  case createdAfterPurchase, createdLongBeforeRenewal
  case cancelled
  case periodDifference(PeriodDifference)
  /// The order names the first transaction of its user's subscription but was created for a later period.
  case createdForLaterPeriod
  case lateVerification
  /// Two reviewers unmatched the pair.
  case unmatched
  case orderHas(charge: Int, Rung)
  case chargeHas(order: Int, Rung)
  /// The charge that the order claims is matched with another order.
  case duplicate
  /// The claim of the order on its purchase was refused.
  case refused
  /// The charge's token also leads to these open orders.
  case rivals([Int])
  /// No reason is known: the rung did not choose the pair.
  case passedBy
}

/// The first field in which an order and a charge differ.
public enum Difference: Sendable { case app, environment, product }

/// The field by which an order shows that it is for another period of the subscription.
public enum PeriodDifference: Sendable {
  case subscription, lineItem, transaction
  /// The order's evidence decodes to other renewals of the product.
  case evidence
  /// The order was created near the end of the period, and its access ends nearer to the end of the next period.
  case access
  /// The order was created in the booking time of another period, and paid or delivered before this one was purchased.
  case creation
}

/// The reason why the candidates of an ambiguous charge are tied (M7).
public enum ContestFinding: Sendable {
  /// The number of users whose orders fit.
  case users(Int)
  /// - Parameter isAfterCarts: whether carts were removed because a paid or delivered order outranks them.
  case distance(orders: Int, charges: Int, isAfterCarts: Bool)
}
