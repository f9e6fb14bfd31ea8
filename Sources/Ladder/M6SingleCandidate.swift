/// An open order and an open charge that fit by user, product, quantity and time.
struct Candidate: Sendable {
  var pair: Pair
  var tie: UserTie
  /// Time from the order to the purchase; negative if the purchase came first.
  var delay: Microseconds

  var distance: Microseconds { abs(delay) }
}

extension Evaluation {
  /// M6: matches pairs that are the only candidates in both directions, or part of every assignment with the least total time distance.
  /// M7 reports the rest.
  ///
  /// - Returns: whether a period of a subscription was matched, which may reveal the owner of the others.
  mutating func matchSingleCandidates() -> Bool {
    candidates = index.charges.indices.flatMap { fittingOrders($0) }
    let contests = Contests(candidates, in: self)
    considerations?.contests.append(contests)
    return assign(contests.singles + contests.assigned, on: .singleCandidate).contains { self.charge($0.charge).chain != nil }
  }

  private func fittingOrders(_ charge: Int) -> [Candidate] {
    let charged = self.charge(charge)
    guard isOpen(charge: charge), !charged.isFamilyShared else { return [] }
    let settings = index.settings
    let created = (charged.purchasedAt - max(settings.askToBuyWindow, settings.window))...(charged.purchasedAt + settings.clockSkew)
    let users = possibleUsers(charge)
    // A token that orders of several users carry leads to no user, but to these orders.
    if users.isEmpty {
      return candidates(among: index.created(in: created, index.ordersByToken[charged.token]), tie: .owner, charge)
    }
    return users.sorted { $0.key < $1.key }.flatMap { user, tie in
      candidates(among: index.orders(of: user, createdIn: created), tie: tie, charge)
    }
  }

  private func candidates(among orders: ArraySlice<Int>, tie: UserTie, _ charge: Int) -> [Candidate] {
    orders.filter { fits($0, charge) }.map {
      Candidate(
        pair: Pair(order: $0, charge: charge), tie: tie, delay: self.charge(charge).purchasedAt - order($0).createdAt)
    }
  }

  private func fits(_ order: Int, _ charge: Int) -> Bool {
    let pair = Pair(order: order, charge: charge)
    return isOpen(order: order) && misfit(order, charge) == nil && !index.unmatched.contains(pair) && !contradicted.contains(pair)
      && !isDuplicate(order) && !isRefused(order, above: .singleCandidate)
  }

  /// Returns the first reason why an order and a charge do not fit, regardless of existing matches; nil if they fit.
  func misfit(_ order: Int, _ charge: Int) -> Barrier? {
    let (candidate, charged) = (self.order(order), self.charge(charge))
    if charged.isFamilyShared { return .familyShared }
    if candidate.isCancelledUndelivered { return .cancelled }
    if let difference = index.difference(order, charge) { return .difference(difference) }
    if candidate.quantity != charged.quantity { return .quantity }
    if isBookedForOtherPeriod(order, than: charge) { return .periodDifference(.creation) }
    if index.laterPeriods[charge], let other = periodDifference(order, from: charge) { return .periodDifference(other) }
    // A charge with another order's token cannot belong to an order with a token.
    if let own = candidate.token, own != charged.token, index.isTokenOfOneOrder(charged.token), !repeatsToken(charge) {
      return .tokenOfOtherOrder
    }
    return isInWindow(candidate, charge) ? nil : .outsideWindow
  }

  /// Whether the charge has the token of an earlier period of its subscription. Apple repeats the token of the first order.
  private func repeatsToken(_ charge: Int) -> Bool {
    let charged = self.charge(charge)
    return index.chargesByChain[charged.chain].contains {
      self.charge($0).purchasedAt < charged.purchasedAt && self.charge($0).token == charged.token
    }
  }

  /// Whether a purchase was made soon enough after the order. The longer window for Ask to Buy applies unless the order was paid or
  /// delivered before the purchase. Nobody has to approve a renewal, and an order before its booking time is for the period before.
  private func isInWindow(_ order: Order, _ charge: Int) -> Bool {
    let (settings, purchasedAt) = (index.settings, self.charge(charge).purchasedAt)
    if order.createdAt - settings.clockSkew > purchasedAt { return false }
    if self.charge(charge).isRenewal {
      return order.createdAt >= max(purchasedAt - settings.window, index.periods[charge].bookedFrom)
    }
    let isUnsettled = order.settledAt.map { $0 >= purchasedAt - settings.clockSkew } ?? true
    return purchasedAt <= order.createdAt + (isUnsettled ? settings.askToBuyWindow : settings.window)
  }

  /// Returns the users whose order the charge could pay: its owner, or if unknown, the uploader and the users seen on the uploading
  /// device.
  private func possibleUsers(_ charge: Int) -> [ID: UserTie] {
    if let buyer = buyer(ofCharge: charge) { return [buyer: .owner] }
    var users: [ID: UserTie] = [:]
    func add(_ user: ID, _ tie: UserTie) { users[user] = min(users[user] ?? tie, tie) }
    // A valid claim without a match belongs to an order that another charge paid.
    let paysAgain = !claimsNaming(charge).isEmpty
    for upload in index.uploadsByCharge[charge].map({ index.component.uploads[$0] }) {
      if let user = upload.user { add(user, .uploader) }
      guard let device = upload.device, !paysAgain else { continue }
      for user in usersSeen(on: device) where user != upload.user { add(user, .device) }
    }
    return users
  }

  private func usersSeen(on device: ID) -> Set<ID> {
    Set(index.ordersByDevice[device].map { order($0).user })
      .union(index.uploadsByDevice[device].compactMap { index.component.uploads[$0].user })
  }
}
