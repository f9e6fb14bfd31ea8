/// A break, or a difference that becomes one.
struct Difference {
  var name: String
  var subject: String
  var due: Second
}

/// The differences that orders, users, catalogue and signed evidence decide.
struct ExpectedDifferences {
  let ladder: Ladder
  var found: [Difference] = []
  var world: World { ladder.world }
  var charges: [OracleCharge] { ladder.charges }
  var orders: [WorldOrder] { ladder.orders }

  static let always = Int.min

  init(_ world: World, asOf: Second) {
    ladder = Ladder(world.known(at: asOf))
    for order in orders.indices where !ladder.isMatched(order) { checkOrder(orders[order], asOf: asOf) }
    for charge in charges.indices { checkCharge(charge) }
    for (charge, match) in ladder.matched { checkPair(charges[charge], orders[match.order]) }
    checkEvidence()
  }

  mutating func add(_ name: String, _ subject: String, _ due: Second = Self.always) {
    found.append(Difference(name: name, subject: subject, due: due))
  }

  // MARK: Orders without match

  mutating func checkOrder(_ order: WorldOrder, asOf: Second) {
    if let refusal = refusal(of: order) {
      if refusal != "" { add(refusal, order.id) }
      return
    }
    guard order.environment == "Production", order.isLive else { return }
    if ladder.ambiguous.values.contains(where: { $0.contains { orders[$0].id == order.id } }) { return }
    let due = max(order.created, [order.paid, order.delivered].compactMap { $0 }.min() ?? order.created) + grace
    if isHistory(due - grace, order.bundle) { return }
    add(isMissingRenewal(order) && !claimsOwn(order) ? "RENEWAL_MISSING" : "ORDER_NO_TX", order.id, due)
  }

  func isMissingRenewal(_ order: WorldOrder) -> Bool {
    let chains = charges.filter { $0.isRenewable && $0.environment == order.environment && $0.bundle == order.bundle }
    let isRenewable = World.products.contains { $0.id == order.product && $0.period != nil }
    // Without a catalogue, any product may be a subscription.
    if isRenewable || !world.hasCatalogue,
      chains.contains(where: {
        (order.originalTransactionID == $0.original || order.transactionID == $0.original && isKnown(order.transactionID))
          && ladder.chainStart($0) < order.created && ladder.chainOwner(of: $0) ?? order.user == order.user
      })
    {
      return true
    }
    return chains.contains {
      $0.product == order.product && ladder.chainOwner(of: $0) == order.user && ladder.chainStart($0) < order.created
    }
  }

  /// Returns the class of a refused claim of the order. An empty text means that it is no difference.
  func refusal(of order: WorldOrder) -> String? {
    let reason = reason(toRefuse: order)
    // Goods that were taken back, as the runbooks require, or never given resolve the difference. Forged evidence stays forged.
    return isTakenBack(order) && reason != nil && reason != "FORGED_SIGNATURE" ? "" : reason
  }

  /// Returns whether the goods were taken back, or the order was cancelled before it was paid or delivered.
  private func isTakenBack(_ order: WorldOrder) -> Bool {
    ["refunded", "revoked"].contains(order.status) || order.status == "cancelled" && order.paid == nil && order.delivered == nil
  }

  /// Returns the class of the first reason to refuse a claim of the order. An empty text means that the claim is allowed.
  private func reason(toRefuse order: WorldOrder) -> String? {
    let claimed = charges.filter { ladder.claims(order, $0) }
    // The refusal of the named purchase has priority over evidence that is not genuine or not ours.
    if !claimed.isEmpty, let reason = refusal(of: order, claiming: claimed) { return reason }
    let unproven = world.items.filter { ladder.names(order, $0) }
    if unproven.contains(where: { !$0.isForged && !World.bundles.contains($0.purchase.bundleID) }) { return "BUNDLE_DIFF" }
    if unproven.contains(where: \.isForged) { return "FORGED_SIGNATURE" }
    return refusal(of: order, claiming: claimed)
  }

  private func refusal(of order: WorldOrder, claiming claimed: [OracleCharge]) -> String? {
    let isLive = order.environment == "Production"
    if claimed.contains(where: { $0.bundle != order.bundle }) { return "BUNDLE_DIFF" }
    if claimed.contains(where: { !isLive && $0.isProduction }) { return "PROD_IN_SANDBOX" }
    let reached = chargesReachedByToken(order)
    let same = claimed.filter { $0.environment == order.environment && $0.bundle == order.bundle }
    // A purchase that the order names counts before one to which only the token leads.
    let sandboxed =
      claimed.filter { isLive && !$0.isProduction }
      + reached.filter { same.isEmpty && !$0.isProduction && $0.product == order.product }
    if !sandboxed.isEmpty, isTester(order.user) { return "" }
    if !sandboxed.isEmpty && order.wasDelivered { return "SANDBOX_IN_PROD" }
    guard isLive else { return nil }
    let isDelivered = ["paid", "delivered"].contains(order.status) || order.delivered != nil
    if claimed.isEmpty, isDelivered, let reason = refusal(ofNamedSubscription: order) { return reason }
    if same.contains(where: { isContended($0, by: order) }) { return "REPLAY_MULTI_USER" }
    if same.contains(where: { ladder.owner(of: $0) ?? order.user != order.user }) { return "USER_DIFF" }
    if isDelivered, isAgainstChain(order) { return "USER_DIFF" }
    if same.contains(where: { $0.product != order.product }) || boughtSomethingElse(order, reached) {
      return "PRODUCT_DIFF"
    }
    // Delivered twice: another delivered order of the user owns the charge.
    if same.contains(where: { matchedOrder(of: $0).map(\.wasDelivered) ?? false }), order.wasDelivered {
      return "DUP_DELIVERY"
    }
    // A cart that names another order's charge is not late, whatever its age.
    if same.contains(where: { ladder.isHoarded(order, $0) && (matchedOrder(of: $0) == nil || order.rank == 2) }) {
      return "LATE_VERIFICATION"
    }
    // The chain assigns the period to this order, but another order of its user owns it.
    if order.wasDelivered,
      charges.contains(where: { charge in
        ladder.booksRenewal(order, charge) && matchedOrder(of: charge).map { $0.user == order.user && $0.wasDelivered } ?? false
      })
    {
      return "DUP_DELIVERY"
    }
    return nil
  }

  /// Returns whether the order conflicts with the owner of the charge, or with all claimants if the charge has no owner.
  private func isContended(_ charge: OracleCharge, by order: WorldOrder) -> Bool {
    if let matched = matchedOrder(of: charge) { return matched.user != order.user }
    return orders.contains { $0.id != order.id && $0.user != order.user && ladder.claims($0, charge) }
  }

  /// Returns the class of an order that names another user's subscription by its original id; nil if it does not.
  private func refusal(ofNamedSubscription order: WorldOrder) -> String? {
    let named = charges.first {
      $0.isRenewable && $0.original == order.originalTransactionID && $0.environment == order.environment && $0.bundle == order.bundle
    }
    guard let named, ladder.chainOwner(of: named) ?? order.user != order.user else { return nil }
    let period = ladder.chain(of: named).map { charges[$0] }.last { ladder.isInPeriod(order, $0) }
    guard let period, !ladder.namesAnother(order, period), isContended(period, by: order) else { return "USER_DIFF" }
    return "REPLAY_MULTI_USER"
  }

  private func matchedOrder(of charge: OracleCharge) -> WorldOrder? { orders.first { isMatched($0, with: charge) } }

  /// Returns whether the order has a valid claim on a charge of another order by its user.
  private func claimsOwn(_ order: WorldOrder) -> Bool {
    charges.contains { ladder.claims(order, $0) && ladder.claimHolds(order, $0) && matchedOrder(of: $0)?.user == order.user }
  }

  private func isKnown(_ transactionID: String?) -> Bool {
    transactionID.map { id in charges.contains { $0.transactionIDs.contains(id) } } ?? false
  }

  /// Returns whether the instant is before the start date of its app.
  private func isHistory(_ instant: Second, _ bundle: String) -> Bool { world.starts[bundle].map { instant < $0 } ?? false }

  /// Returns whether the token leads to the order on a chain of another user.
  func isAgainstChain(_ order: WorldOrder) -> Bool {
    guard let number = orders.firstIndex(where: { $0.id == order.id }) else { return false }
    return charges.indices.contains { index in
      ladder.matched[index].map { $0.rung >= "M2" } ?? true && ladder.reachesByToken(number, charges[index])
        && ladder.chainOwner(of: charges[index]) ?? order.user != order.user
    }
  }

  /// Returns the open charges within a day after a live order that carry its token, or its user's.
  func chargesReachedByToken(_ order: WorldOrder) -> [OracleCharge] {
    guard order.environment == "Production" else { return [] }
    return charges.indices.filter { ladder.matched[$0] == nil }.map { charges[$0] }.filter { charge in
      charge.token.map { ladder.isToken($0, of: order) } ?? false && charge.bundle == order.bundle && !charge.isFamily && !charge.isRenewal
        && charge.purchased >= order.created - skew && charge.purchased <= order.created + day
    }
  }

  /// Returns whether the order's own token, not a user's, led to exactly one purchase, of another product, and to no other order.
  func boughtSomethingElse(_ order: WorldOrder, _ reached: [OracleCharge]) -> Bool {
    guard ["paid", "delivered"].contains(order.status), let token = order.token,
      ladder.holders(ofToken: token).isEmpty
    else { return false }
    let bought = reached.filter(\.isProduction)
    guard bought.count == 1, let charge = bought.first, charge.product != order.product else { return false }
    let others = orders.indices.filter { !ladder.isMatched($0) && orders[$0].id != order.id }
    return !others.contains { chargesReachedByToken(orders[$0]).contains { $0.label == charge.label } }
  }

  func isTester(_ user: String) -> Bool {
    World.testers.contains(user) || world.users.contains { $0.id == user && $0.isTester }
  }

  func isMatched(_ order: WorldOrder, with charge: OracleCharge) -> Bool {
    ladder.matched.contains { charges[$0].label == charge.label && orders[$1.order].id == order.id }
  }

  // MARK: Charges

  mutating func checkCharge(_ index: Int) {
    let charge = charges[index]
    guard charge.isProduction else { return }
    checkCatalogue(charge)
    checkIdentity(charge)
    guard !charge.isFamily, ladder.matched[index] == nil else { return }
    if ladder.ambiguous[index] != nil { return add("AMBIGUOUS_MATCH", charge.label) }
    guard charge.price != 0 else { return }
    if paysTwice(index), !charge.isFullyRevoked {
      add("DUP_CHARGE", charge.label)
    } else if let first = charge.firstRevoked, charge.isFullyRevoked {
      if !isHistory(first, charge.bundle) { add("REFUND_NO_ORDER", charge.label, first + grace) }
    } else if !isHistory(charge.purchased, charge.bundle) {
      add(charge.isRenewal ? "RENEWAL_NO_ORDER" : "TX_NO_ORDER", charge.label, charge.purchased + grace)
    }
  }

  func paysTwice(_ index: Int) -> Bool {
    let charge = charges[index]
    return ladder.matched.contains { other, match in
      let order = orders[match.order]
      guard other != index, !charges[other].isFamily, ladder.agree(order, charge) else { return false }
      // The delay does not matter: an order with one renewal of its user may claim another equally late.
      if ladder.claims(order, charge) && ladder.claimHolds(order, charge) { return true }
      if charge.isRenewable, charges[other].isRenewable, charges[other].original == charge.original { return false }
      guard !charge.isRenewal, let token = charge.token, ladder.holders(ofToken: token).isEmpty else { return false }
      return order.token == token && order.created <= charge.purchased + skew && orders.count { $0.token == token } == 1
    }
  }

  mutating func checkIdentity(_ charge: OracleCharge) {
    if charge.isConsumable, charge.transactionIDs != [charge.original] { return add("ID_CONFLICT", charge.label) }
    guard charge.isRenewable, !charge.isFamily, let lineItem = charge.lineItem else { return }
    let group = charges.filter {
      $0.isProduction && $0.isRenewable && !$0.isFamily && $0.bundle == charge.bundle && $0.lineItem == lineItem
    }
    guard let first = group.min(by: { $0.purchased < $1.purchased }), first.label != charge.label else { return }
    add("ID_CONFLICT", charge.label)
  }

  mutating func checkCatalogue(_ charge: OracleCharge) {
    if isUnshareable(charge), charge.revoked == nil { add("FAMILY_NOT_SHAREABLE", charge.label) }
    guard world.hasCatalogue, !charge.isFamily, let price = charge.price, price > 0, !isHistory(charge.purchased, charge.bundle) else {
      return
    }
    let known = world.prices.filter {
      $0.product == charge.product && $0.currency == charge.currency && $0.from <= charge.purchased
        && ($0.storefront == charge.storefront || $0.storefront == "")
    }
    guard let latest = known.max(by: { $0.from < $1.from }) else { return }
    let allowed = charge.isRenewal ? known : [latest]
    if !allowed.contains(where: { $0.milliunits * Int64(charge.quantity) == price }) {
      add("PRICE_OFF_CATALOG", charge.label)
    }
  }

  /// Whether the catalogue does not allow the family access of the charge.
  private func isUnshareable(_ charge: OracleCharge) -> Bool {
    charge.isFamily && world.hasCatalogue && World.products.contains { $0.id == charge.product && !$0.isShareable }
  }

  // MARK: Pairs

  mutating func checkPair(_ charge: OracleCharge, _ order: WorldOrder) {
    guard charge.isProduction else { return }
    let isCart = ["created", "cancelled"].contains(order.status) && order.paid == nil && order.delivered == nil
    if !charge.isFullyRevoked, ["created", "paid", "cancelled"].contains(order.status), order.delivered == nil, !(charge.isFamily && isCart)
    {
      add("PAID_NOT_DELIVERED", order.id, charge.purchased + grace)
    }
    if charge.isFamily {
      // Family access carries no money, so any booked amount is too much.
      if order.price ?? 0 > 0, !isCart { add("AMOUNT_DIFF", order.id) }
    } else if let ours = order.currency, let theirs = charge.currency, ours != theirs {
      add("CURRENCY_DIFF", order.id)
    } else if let ours = order.price, let theirs = charge.price, ours != theirs {
      add("AMOUNT_DIFF", order.id)
    }
    if order.quantity != charge.quantity, !(charge.isFamily && isCart) { add("QUANTITY_DIFF", order.id) }
    if charge.revoked != nil, let first = charge.firstRevoked {
      let isEnded = charge.isFamily && (order.entitlement ?? .max) <= first + skew
      if order.isLive, order.refunded == nil, !isEnded {
        add("REFUND_NOT_APPLIED", order.id, first + grace)
      }
    } else if let reversed = charge.reversed {
      let isRestored = order.status == "delivered" && order.updated >= reversed && order.refunded.map { $0 < reversed } ?? true
      if ["refunded", "revoked"].contains(order.status) || order.refunded != nil, !isRestored {
        add("REFUND_REVERSED_NOT_APPLIED", order.id, reversed + grace)
      }
    } else if order.status == "refunded", !charge.isFamily {
      add("REFUND_ONLY_OURS", order.id, (order.refunded ?? charge.purchased) + grace)
    } else if order.status == "revoked", !charge.isUpgraded, !isUnshareable(charge),
      min(order.entitlement ?? .min, order.updated) < (charge.expires ?? .max) - skew
    {
      add("ENTITLEMENT_SHORT", order.id, charge.purchased + grace)
    }
    checkEntitlement(charge, order)
  }

  mutating func checkEntitlement(_ charge: OracleCharge, _ order: WorldOrder) {
    guard charge.isRenewable, let ours = order.entitlement, let expires = charge.expires else { return }
    // A delivered order without the refund is not this difference, and a refund in part does not end access here.
    let isRefunded = order.hasGoods && order.refunded != nil && charge.isFullyRevoked
    guard charge.revoked == nil ? order.isLive : isRefunded else { return }
    let isSuperseded = charge.isUpgraded || charge.revoked != nil
    // Access follows the last period that was neither upgraded nor revoked.
    let kept = ladder.chain(of: charge).map { charges[$0] }.filter { !$0.isUpgraded }
    let end = kept.last { $0.revoked == nil }?.expires ?? kept.last?.revoked ?? expires
    if ours > end + skew, isSuperseded || ours > expires + skew {
      add("ENTITLEMENT_OVERRUN", order.id, end + grace)
    } else if ours < expires - skew, !isSuperseded, !isUnshareable(charge) {
      add("ENTITLEMENT_SHORT", order.id, charge.purchased + grace)
    }
  }

  // MARK: Evidence

  mutating func checkEvidence() {
    for item in world.items where !orders.indices.contains(where: { !ladder.isMatched($0) && ladder.names(orders[$0], item) }) {
      if item.isForged {
        // Forged evidence without an upload by a known user counts only in the quarantine.
        let isTied = item.user != nil || item.order != nil || orders.contains { $0.evidenceItem == item.id }
        if isTied, !isCopy(item) { add("FORGED_SIGNATURE", item.purchase.transactionID) }
      } else if !World.bundles.contains(item.purchase.bundleID) {
        add("BUNDLE_DIFF", item.purchase.transactionID)
      }
    }
  }

  /// Returns whether the user whose upload contains a forgery did buy the named purchase.
  private func isCopy(_ item: WorldItem) -> Bool {
    ladder.matched.contains { index, match in
      charges[index].transactionIDs.contains(item.purchase.transactionID) && ladder.concerns(orders[match.order], item)
    }
  }
}
