internal import Domain
internal import Ladder

/// Texts for the findings of rungs about an order, a charge, or both.
struct FindingText {
  let facts: ComponentFacts
  let trace: Trace
  /// Numbers of the order and the charge in the component; nil for the side that the findings do not concern.
  var orderNumber: Int?
  var chargeNumber: Int?
  var evidence = CarriedEvidence()

  /// The findings in the order of the rungs.
  var findings: [RungFinding] {
    switch (orderNumber, chargeNumber) {
    case (let order?, let charge?): trace.findings(order: order, charge: charge)
    case (let order?, nil): trace.findings(order: order)
    case (nil, let charge?): trace.findings(charge: charge)
    case (nil, nil): []
    }
  }

  func text(_ finding: Finding, on rung: Rung) -> String {
    switch finding {
    case .name(let finding): text(finding, on: rung)
    case .token(let finding): text(finding)
    case .period(let finding): text(finding)
    case .candidate(let finding): text(finding)
    }
  }

  private func text(_ finding: NameFinding, on rung: Rung) -> String {
    switch finding {
    case .named(let naming, let barrier): but(shown(naming), barrier)
    case .listed(let barrier):
      "\(listing) lists the purchase beside others, and "
        + (barrier.map(words) ?? "the time of another one is nearer to that of the order")
    case .noTransaction: "the order names no transaction"
    case .otherTransaction: "transaction \(transaction), which the order names, is not of this charge"
    case .unknownTransaction: "no genuine evidence tells of transaction \(transaction)"
    case .firstTransaction:
      "the order names transaction \(transaction), the first of a subscription, and was created for a later period"
    case .noPurchase: "the order names no line item and no original transaction"
    case .otherLineItem: "line item \(lineItem), which the order names, is not of this charge"
    case .otherOriginal: "original transaction \(original), which the order names, is not of this charge"
    case .unknownLineItem: "no genuine evidence tells of line item \(lineItem)"
    case .unknownOriginal: "no genuine evidence tells of original transaction \(original)"
    case .subscription: "the order names the subscription, which says nothing of the period"
    case .noEvidence: noEvidence
    case .refusedClaim where rung == .transactionID: "the charge of transaction \(transaction) is not the order's"
    case .refusedClaim: "what the order names is not the order's"
    case .unmatchedClaim:
      switch rung {
      case .transactionID: "two people decided that the charge of transaction \(transaction) does not belong to the order"
      case .evidence: "two people decided that the charge of the evidence does not belong to the order"
      default: "two people decided that what the order names does not belong to it"
      }
    case .claimed(let order, let naming): claimed(facts.orderIDs[order], naming)
    case .namedSubscription(let order): "order \(facts.orderIDs[order]) names the subscription, which says nothing of the period"
    case .listedBeside(let order):
      "the evidence of order \(facts.orderIDs[order]) lists it beside others, and the order does not claim it"
    case .benignDuplicate(let order):
      (rung == .evidence
        ? "its evidence is that of order \(facts.orderIDs[order])"
        : "order \(facts.orderIDs[order]) names its \(rung == .lineItem ? "line item or original " : "")transaction")
        + ", and two people called it a benign duplicate"
    case .notNamed:
      switch rung {
      case .transactionID: "no order names its transaction"
      case .lineItem: "no order names its line item or original transaction"
      default: "no order carries the hash of its evidence, and no upload names an order that can have it"
      }
    }
  }

  private func text(_ finding: TokenFinding) -> String {
    switch finding {
    case .noToken: "neither the order nor its user carries a token"
    case .noTokenOfCharge: "the charge carries no token"
    case .otherToken: "\(whose) token is another than the charge's"
    case .otherTokens: "the user's tokens are others than the charge's"
    case .sharedTokens: "other users held the user's token, too, so that it speaks for none of them"
    case .sharedToken(let count): "\(count) users held the token, so that it speaks for none of them"
    case .noChargeWithToken: "no charge carries \(whose) token with that product"
    case .leads(let outranked, let barrier):
      but(
        "\(whose) token is the charge's, \(outranked.map(others) ?? "")product and app agree, the order was created \(span) \(side) the "
          + "purchase", barrier)
    case .better(let orders):
      "an order that was paid or delivered carries the charge's token with that product, too, and goes before: \(names(orders))"
    case .equals(let orders):
      "several open orders carry the charge's token with that product: this one and \(names(orders))"
    case .strangers(let orders):
      "another user's order carries the charge's token with that product, too, and nobody knew yet whose subscription it is: "
        + names(orders)
    case .nearestCharge(let charge, let barrier):
      "charge \(facts.chargeIDs[charge]) carries \(whose) token with that product, but \(with(charge: charge).tokenWords(barrier))"
    case .orders(let owner, let orders):
      "\(tokenOwner(owner)), and "
        + (orders.count > 1 ? "several open orders of that product from before the purchase carry it: " : "the rung passed it by: ")
        + few(orders.map { facts.orderIDs[$0] })
    case .nearestOrder(let owner, let order, let barrier): "\(tokenOwner(owner)), and \(with(order: order).wordsOfOrder(barrier))"
    case .noOrder(let owner, let hasOrder):
      tokenOwner(owner) + (hasOrder ? ", and no open order of that product carries it" : ", who has no open order of that product")
    case .barred(let barrier): words(barrier)
    }
  }

  private func text(_ finding: PeriodFinding) -> String {
    switch finding {
    case .notRenewal: "the charge is not a renewal"
    case .unknownOwner: "nobody knows whose subscription it is"
    case .booked(let barrier):
      but("a renewal of a subscription of user \(user), and the order was created in its booking time, \(bookingTime)", barrier)
    case .otherTime: "the order was not created in the period's booking time, \(bookingTime)"
    case .nearestRenewal(let charge, let barrier): with(charge: charge).renewalWords(barrier)
    case .noRenewal: "no renewal of that product was to be booked for user \(user) when the order was created"
    case .nearestOrder(let order, let barrier):
      with(order: order).wordsOfOrder(barrier, "was created in the period's booking time, but ")
    case .noOrder(let owner):
      "no order of user \(facts.user(owner)), whose subscription it is, was created in the period's booking time, \(bookingTime)"
    case .barred(let barrier): words(barrier)
    }
  }

  private func text(_ finding: CandidateFinding) -> String {
    switch finding {
    case .single: "user, product, quantity and time fit, and nothing else fits either of the two"
    case .assigned(true, true):
      "several orders and charges fit; a paid or delivered order goes before carts, and of what is left this pair is in every assignment "
        + "of the least total time distance"
    case .assigned(true, false):
      "user, product, quantity and time fit; a paid or delivered order goes before carts that fit, too, and nothing else is left that "
        + "fits either of the two"
    case .assigned:
      "of several orders and charges of user \(user) that fit, this pair is in every assignment of the least total time distance"
    case .contested(let barrier):
      "user, product, quantity and time fit, but "
        + (barrier == .passedBy ? "so does more than this order and this charge, and nothing decides" : words(barrier))
    case .otherUsers(.passedBy): "nothing leads from the charge to user \(user)"
    case .otherUsers(let barrier), .barred(let barrier): words(barrier)
    case .noCharge(let hasUnmatched, let barrier):
      "no \(hasUnmatched ? "other " : "")open charge of user \(user) fits in product, quantity and time"
        + (barrier.map { ", and \(words($0))" } ?? "")
    case .nothingLeads(let isUploaded):
      (charge.token == nil ? "" : "the token leads to no one user, and ")
        + (isUploaded ? "no upload of its evidence names a user or a device" : "nobody uploaded its evidence")
    case .paysAgain(let order, let users):
      "it says that it pays order \(facts.orderIDs[order]) again, and no open order of \(uploaders(users) ?? "that user") fits in product, "
        + "quantity and time"
    case .noOrder(let owner, let users, let hasUnmatched):
      "no \(hasUnmatched ? "other " : "")open order of "
        + (owner.map { "user \(facts.user($0))" } ?? uploaders(users).map { "\($0), or of who shares the device," }
          ?? "a user seen on its device") + " fits in product, quantity and time"
    }
  }

  func text(_ contest: ContestFinding) -> String {
    switch contest {
    case .users(let count): return "M7: orders of \(count) users fit, and time does not tell who of them paid"
    case .distance(let orders, let charges, let isAfterCarts):
      let isEven = orders == charges
      return "M7: \(isAfterCarts ? "a paid or delivered order goes before carts, and of what is left " : "")"
        + "\(orders) order\(orders == 1 ? "" : "s") and \(isEven ? "as many" : "\(charges)") "
        + "charge\(charges == 1 && !isEven ? "" : "s") fit each other, and time does not tell "
        + (isEven ? "which belongs to which" : "who is left over")
    }
  }

  // MARK: Barriers

  private func words(_ barrier: Barrier) -> String {
    switch barrier {
    case .difference(let difference): "the purchase is of \(words(difference, charge.productKey))"
    case .renewal: "a renewal is never guessed"
    case .familyShared: "family sharing is never guessed"
    case .quantity: "the quantities are \(order.quantity) and \(charge.quantity)"
    case .tokenOfOtherOrder: "the order has a token of its own, and the purchase carries that of order \(orderOfToken)"
    case .outsideWindow: "the purchase was \(span) \(delay < 0 ? "before" : "after") the order"
    case .tokenOwner(let user): "the \(chargeNumber == nil ? "order's " : "")token belongs to user \(facts.user(user))"
    case .chainOwner(let user): "the subscription belongs to user \(facts.user(user))"
    case .createdAfterPurchase: "the order was created \(span) after the purchase"
    case .createdLongBeforeRenewal: "the order was created \(span) before the renewal"
    case .cancelled: "the order is cancelled"
    case .otherPeriod(.subscription): "the order names another subscription"
    case .otherPeriod(.lineItem): "the order names line item \(lineItem), which is not of this period"
    case .otherPeriod(.transaction): "the order names transaction \(transaction), which is not of this period"
    case .otherPeriod(.access):
      "the order was booked at the end of the period, for access until \(order.accessUntil.map(instant) ?? "")"
    case .laterPeriod: "it was created for a later period, and names the subscription"
    case .lateVerification: "it was purchased \(abs(delay) / 86_400_000_000) days before the order was created"
    case .unmatched: "two people decided that they do not belong together"
    case .orderHas(let charge, let rung): "the order has charge \(facts.chargeIDs[charge]) by \(rung.code)"
    case .chargeHas(let order, _):
      "order \(facts.orderIDs[order]) of user \(facts.user(facts.component.orders[order].user)) holds the charge"
    case .duplicate: "another order holds what the order claims"
    case .refused: "the order was refused the purchase that it claims"
    case .rivals(let orders): "the token leads to other open orders of that product, too: \(few(orders.map { facts.orderIDs[$0] }))"
    case .passedBy: "the rung passed it by"
    }
  }

  /// Returns the text of an M2 barrier to a charge with the order's token.
  private func tokenWords(_ barrier: Barrier) -> String {
    switch barrier {
    case .chainOwner(let user): "it is of a subscription of user \(facts.user(user))"
    case .createdAfterPurchase: "it was purchased \(span) before the order was created"
    case .createdLongBeforeRenewal: "it is a renewal, purchased \(span) after the order was created"
    case .otherPeriod: "it is a renewal, and the order names another period"
    case .unmatched: "two people decided that it does not belong to the order"
    case .chargeHas(let order, let rung): "order \(facts.orderIDs[order]) has it by \(rung.code)"
    case .refused: "the order was refused the purchase that it names"
    default: words(barrier)
    }
  }

  /// Returns the text of an M4 barrier to a renewal of the order's user.
  private func renewalWords(_ barrier: Barrier) -> String {
    let renewal = "renewal \(facts.chargeIDs[chargeNumber ?? 0])"
    return switch barrier {
    case .otherPeriod: "the order names another period than \(renewal)"
    case .unmatched: "two people decided that \(renewal) does not belong to the order"
    case .chargeHas(let order, let rung): "order \(facts.orderIDs[order]) has \(renewal) of the period by \(rung.code)"
    case .passedBy: "the rung passed \(renewal) by"
    default: words(barrier)
    }
  }

  /// Returns the text of a barrier to an order that the charge could belong to.
  private func wordsOfOrder(_ barrier: Barrier, _ start: String = "") -> String {
    let reason =
      switch barrier {
      case .difference(let difference): "is of \(words(difference, order.productKey))"
      case .chainOwner(let user): "cannot have it, as the subscription belongs to user \(facts.user(user))"
      case .createdAfterPurchase: "was created after the purchase"
      case .createdLongBeforeRenewal: "was created too long before the renewal"
      case .cancelled: "is cancelled"
      case .otherPeriod: "names another period"
      case .unmatched: "does not belong to it, as two people decided"
      case .orderHas(let charge, let rung): "has charge \(facts.chargeIDs[charge]) by \(rung.code)"
      case .duplicate: "claims what another order holds"
      case .refused: "was refused the purchase that it names"
      default: words(barrier)
      }
    return "order \(facts.orderIDs[orderNumber ?? 0]) \(start)\(reason)"
  }

  private func words(_ difference: Difference, _ key: ProductKey) -> String {
    switch difference {
    case .app: "app \(facts.apps[Int(key.app)])"
    case .environment: "environment \(facts.environments[Int(key.environment.id)])"
    case .product: "product \(facts.products[Int(key.product)])"
    }
  }

  // MARK: Claims

  private func but(_ text: String, _ barrier: Barrier?) -> String { barrier.map { "\(text), but \(words($0))" } ?? text }

  private func shown(_ naming: Naming) -> String {
    switch naming {
    case .transaction: "the order names transaction \(transaction)"
    case .lineItem: "the order names line item \(lineItem)"
    case .original: "the order names original transaction \(original)"
    case .hash: "the order carries the hash of \(listing)"
    case .upload: "the evidence was uploaded for the order"
    }
  }

  private func claimed(_ order: String, _ naming: Naming) -> String {
    switch naming {
    case .transaction: "order \(order) names its transaction and cannot have it"
    case .lineItem: "order \(order) names its line item and cannot have it"
    case .original: "order \(order) names its original transaction and cannot have it"
    case .hash: "order \(order) carries the hash of its evidence and cannot have it"
    case .upload: "its evidence was uploaded for order \(order), which cannot have it"
    }
  }

  /// A text for the order's evidence that decodes to the charge.
  private var listing: String {
    let shown = facts.component.evidence.first { $0.order == orderNumber && $0.charge == chargeNumber }
    return shown?.evidence.map { "evidence \(facts.hash($0))" } ?? "what was uploaded for the order"
  }

  private var noEvidence: String {
    let isOfPair = chargeNumber != nil
    guard let hash = evidence.hash else {
      if !evidence.isUploaded { return "the order carries no evidence hash, and no upload names the order" }
      return "what was uploaded for the order " + (isOfPair ? "is not of this charge" : "tells of no charge that is the order's")
    }
    return switch evidence.verdict {
    case nil: "evidence \(hash) is not known"
    case _ where isOfPair: "evidence \(hash) is not of this charge"
    case "genuine": "evidence \(hash) tells of no charge that is the order's"
    case let verdict?: "evidence \(hash) is \(verdict)"
    }
  }

  // MARK: Parts

  private var order: Order { facts.component.orders[orderNumber ?? 0] }
  private var charge: Charge { facts.component.charges[chargeNumber ?? 0] }
  private var user: String { facts.user(order.user) }
  private var transaction: String { facts.transaction(order.transaction) }
  private var original: String { facts.transaction(order.original) }
  private var lineItem: String { order.lineItem.map { facts.lineItems[Int($0)] } ?? "" }
  private var whose: String { order.token == nil ? "the user's" : "the order's" }
  private var delay: Microseconds { charge.purchasedAt - order.createdAt }
  private var span: String { spanText(delay) }
  /// Whether the order was created before or after the purchase.
  private var side: String { delay < 0 ? "after" : "before" }

  private var orderOfToken: String {
    facts.component.orders.firstIndex { $0.token == charge.token }.map { facts.orderIDs[$0] } ?? ""
  }

  private var bookingTime: String {
    let time = trace.bookingTime(ofCharge: chargeNumber ?? 0)
    return "\(instant(time.lowerBound)) to \(time.upperBound == .max ? "the next renewal" : instant(time.upperBound))"
  }

  private func instant(_ at: Microseconds) -> String { Timestamp(microseconds: at).rfc3339 }

  private func with(order: Int? = nil, charge: Int? = nil) -> FindingText {
    var copy = self
    (copy.orderNumber, copy.chargeNumber) = (order ?? orderNumber, charge ?? chargeNumber)
    return copy
  }

  private func tokenOwner(_ owner: ID?) -> String {
    owner.map { "the token belongs to user \(facts.user($0))" } ?? "the token leads to no one user"
  }

  private func others(_ outranked: [Int]) -> String {
    if outranked.isEmpty { return "no other open order from before the purchase carries it, " }
    return "\(names(outranked)) \(outranked.count > 1 ? "carry" : "carries") it, too, but a paid or delivered order goes before, "
  }

  private func uploaders(_ users: [ID]) -> String? {
    users.isEmpty ? nil : users.map { "user \(facts.user($0))" }.sorted().joined(separator: ", ")
  }

  private func names(_ orders: [Int]) -> String {
    few(
      orders.map { number in
        let order = facts.component.orders[number]
        let kind = order.isPaidOrDelivered ? "" : order.status == .cancelled ? "cancelled order " : "cart "
        return kind + facts.orderIDs[number]
      })
  }

  /// Returns the first three names and the number of the others: `A, B, C and 4 more`.
  private func few(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}

/// The evidence whose hash an order carries.
struct CarriedEvidence {
  var hash: String?
  /// nil if the evidence is unknown.
  var verdict: String?
  /// Whether evidence was uploaded for the order.
  var isUploaded = false
}

/// Formats a span of time, rounded to seconds: `165 s`, `59 min`, `47 h`, `12 days`.
func spanText(_ span: Microseconds) -> String {
  let seconds = (abs(span) + 500_000) / 1_000_000
  if seconds < 180 { return "\(seconds) s" }
  if seconds < 10_800 { return "\(seconds / 60) min" }
  return seconds < 172_800 ? "\(seconds / 3600) h" : "\(seconds / 86_400) days"
}
