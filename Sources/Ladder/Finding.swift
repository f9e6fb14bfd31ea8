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
  /// The order names the charge, with what speaks against it.
  case named(Naming, Barrier?)
  /// The order shows evidence that lists the charge beside others; with nothing against it, the time of another one is nearer.
  case listed(Barrier?)
  case noTransaction, otherTransaction, unknownTransaction
  /// The first transaction of a subscription, for an order that was created for a later period.
  case firstTransaction
  case noPurchase, otherLineItem, otherOriginal, unknownLineItem, unknownOriginal
  /// The subscription, which does not tell the period.
  case subscription
  /// The evidence that the order shows, if any, is not of a charge that it can have.
  case noEvidence
  /// The order names a charge that it cannot have, or one of which two people decided that it does not belong to the order.
  case refusedClaim, unmatchedClaim
  /// An order names the charge and cannot have it.
  case claimed(order: Int, Naming)
  /// An order names the subscription, shows evidence that lists the charge beside others, or is a benign duplicate that names it.
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
  /// The token leads to the order; the orders that it outranks, if it is the only one of its standing.
  case leads(outranked: [Int]?, Barrier?)
  /// The token leads to orders that outrank the order, to others of the same standing, or to orders of other users.
  case better([Int]), equals([Int]), strangers([Int])
  /// The charge with the order's token that came nearest to it.
  case nearestCharge(Int, Barrier)
  /// The one user to whom the charge's token leads, and the open orders of the highest standing that carry it.
  case orders(ID?, [Int])
  case nearestOrder(ID?, Int, Barrier)
  /// No open order of the product carries the token; whether its user has any.
  case noOrder(ID?, hasOrder: Bool)
  case barred(Barrier)
}

/// A finding of M4: the order that was booked for a renewal.
public enum PeriodFinding: Sendable {
  case notRenewal, unknownOwner
  /// The order was created in the renewal's booking time.
  case booked(Barrier?)
  case otherTime
  case nearestRenewal(Int, Barrier), noRenewal
  case nearestOrder(Int, Barrier), noOrder(owner: ID)
  case barred(Barrier)
}

/// A finding of M6: the orders and charges that fit by user, product, quantity and time.
public enum CandidateFinding: Sendable {
  case single
  case assigned(byStanding: Bool, byTime: Bool)
  case contested(Barrier)
  case otherUsers(Barrier)
  /// No open charge of the order's user fits; what keeps the order from those of its product, if it explains that.
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
  /// M6 matches no such charge.
  case renewal, familyShared
  case quantity
  /// The charge carries a token that was made for another order.
  case tokenOfOtherOrder
  /// The purchase was made too early or too late for the order.
  case outsideWindow
  /// The token or the subscription belongs to another user.
  case tokenOwner(ID), chainOwner(ID)
  case createdAfterPurchase, createdLongBeforeRenewal
  case cancelled
  case otherPeriod(OtherPeriod)
  /// The order names the first transaction of its user's subscription for a later period.
  case laterPeriod
  case lateVerification
  /// Two people decided that they do not belong together.
  case unmatched
  case orderHas(charge: Int, Rung)
  case chargeHas(order: Int, Rung)
  /// Another order has the charge that the order claims.
  case duplicate
  /// The order was refused the purchase that it claims.
  case refused
  /// The charge's token leads to these open orders, too.
  case rivals([Int])
  /// No reason is known: the rung passed them by.
  case passedBy
}

/// The first field in which an order and a charge differ.
public enum Difference: Sendable { case app, environment, product }

/// The field by which an order shows that it is for another period of the subscription.
public enum OtherPeriod: Sendable {
  case subscription, lineItem, transaction
  /// It was booked at the end of the period, for access that ends nearer to the end of the next.
  case access
}

/// Why nothing decides between the orders and charges with which an ambiguous charge contends (M7).
public enum ContestFinding: Sendable {
  /// Orders of so many users fit.
  case users(Int)
  /// - Parameter isAfterCarts: a paid or delivered order went before carts.
  case distance(orders: Int, charges: Int, isAfterCarts: Bool)
}
