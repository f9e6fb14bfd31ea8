let grace = day
let skew = 300
let lateAfter = 7 * day

/// The oracle's ladder: it assigns charges to orders, one rung after another over plain arrays.
struct Ladder {
  let world: World
  let charges: [OracleCharge]
  let orders: [WorldOrder]
  /// Order and rung of a matched charge, by index of the charge.
  var matched: [Int: (order: Int, rung: String)] = [:]
  /// Orders between which no fact decides, by index of the charge.
  var ambiguous: [Int: [Int]] = [:]

  /// Pairs that the final owner of a chain refuses, as `order charge`.
  var refused: Set<String> = []

  init(_ world: World) {
    self.world = world
    orders = world.orders
    charges = oracleCharges(world.items)
    while true {
      matched = [:]
      ambiguous = [:]
      evaluateRungs()
      let contradicted = matched.filter { charge, match in
        let owner = ["M2", "M6"].contains(match.rung) ? chainOwner(of: charges[charge]) : owner(of: charges[charge])
        return match.rung != "M4" && owner ?? orders[match.order].user != orders[match.order].user
      }
      if contradicted.isEmpty { return }
      for (charge, match) in contradicted { refused.insert(pair(match.order, charge)) }
    }
  }

  private func pair(_ order: Int, _ charge: Int) -> String { "\(order) \(charge)" }

  // MARK: Owners

  /// Returns the users who ever held a token.
  func holders(ofToken token: String?) -> Set<String> {
    Set(world.users.filter { user in token.map(user.tokens.contains) ?? false }.map(\.id))
  }

  /// Returns the only user that a token leads to, or nil.
  func owner(ofToken token: String?) -> String? {
    guard let token else { return nil }
    let holders = holders(ofToken: token)
    let names = holders.isEmpty ? Set(orders.filter { $0.token == token }.map(\.user)) : holders
    return names.count == 1 ? names.first : nil
  }

  /// Returns whether a token matches an order: the order's own token, or one that leads to its user.
  func isToken(_ token: String, of order: WorldOrder) -> Bool {
    guard let own = order.token else { return holders(ofToken: token) == [order.user] }
    return own == token && owner(ofToken: token) ?? order.user == order.user
  }

  func chain(of charge: OracleCharge) -> [Int] {
    charges.indices.filter { index in
      let other = charges[index]
      return other.isRenewable && charge.isRenewable && other.environment == charge.environment
        && other.bundle == charge.bundle && other.original == charge.original
    }.sorted { charges[$0].purchased < charges[$1].purchased }
  }

  /// Returns the owner of a subscription: the user of its earliest conclusive token, else the user of its highest match.
  func chainOwner(of charge: OracleCharge) -> String? {
    let chain = chain(of: charge)
    if let named = chain.lazy.compactMap({ owner(ofToken: charges[$0].token) }).first { return named }
    let matches = chain.compactMap { matched[$0] }
    guard let highest = matches.map(\.rung).min(), let match = matches.first(where: { $0.rung == highest }) else { return nil }
    return orders[match.order].user
  }

  /// Returns the user that a claim on a charge must agree with: the token's user before the chain's owner.
  func owner(of charge: OracleCharge) -> String? { owner(ofToken: charge.token) ?? chainOwner(of: charge) }

  /// Returns the user whose order is searched: the chain's owner before the token's user.
  func buyer(of charge: OracleCharge) -> String? { chainOwner(of: charge) ?? owner(ofToken: charge.token) }

  // MARK: Rungs

  func isMatched(_ order: Int) -> Bool { matched.values.contains { $0.order == order } }

  /// Returns whether evidence that is not genuine concerns an order. The order carries its hash, or an upload connects the two. The
  /// upload is by the order's user, or for the order without another user.
  func names(_ order: WorldOrder, _ item: WorldItem) -> Bool {
    if item.id == order.evidenceItem { return true }
    guard concerns(order, item) else { return false }
    if item.order == order.id { return true }
    guard item.purchase.transactionID == order.transactionID else { return false }
    return !item.isForged
      || !world.items.contains {
        // A transaction that Apple signed for a foreign app is not our charge.
        !$0.isForged && World.bundles.contains($0.purchase.bundleID) && $0.purchase.transactionID == order.transactionID
      }
  }

  /// Returns whether our servers received an item from the order's user, or for the order without another user.
  func concerns(_ order: WorldOrder, _ item: WorldItem) -> Bool {
    item.notification == nil && (item.user == order.user || item.order == order.id && item.user == nil)
  }

  func agree(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    order.bundle == charge.bundle && order.environment == charge.environment && order.product == charge.product
  }

  /// Returns whether a purchase is too old for the order. A late booking of an own renewal is allowed.
  func isHoarded(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    charge.purchased < order.created - lateAfter && !(charge.isRenewal && owner(of: charge) == order.user)
  }

  func claimHolds(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    let owner = owner(of: charge)
    guard agree(order, charge), owner ?? order.user == order.user else { return false }
    // A renewal of the user's own subscription may be booked at any delay.
    return charge.purchased >= order.created - lateAfter || (charge.isRenewal && owner != nil)
  }

  /// Returns whether another order has the charge that this one claims: a second delivery or a replay.
  func isDuplicate(_ number: Int) -> Bool {
    let order = orders[number]
    return !isMatched(number)
      && matched.contains { charge, match in
        guard claims(order, charges[charge]), !refused.contains(pair(number, charge)) else { return false }
        return orders[match.order].user == order.user
          ? agree(order, charges[charge]) && owner(of: charges[charge]) ?? order.user == order.user
          : order.bundle == charges[charge].bundle && order.environment == charges[charge].environment
      }
  }

  /// Returns whether an order claims evidence on one of these rungs that is not a purchase in our apps.
  func claimsUnproven(_ order: WorldOrder, on rungs: [String]) -> Bool {
    world.items.contains { item in
      guard item.isForged || !World.bundles.contains(item.purchase.bundleID), names(order, item) else { return false }
      let isNamed = concerns(order, item) && item.purchase.transactionID == order.transactionID
      return rungs.contains("M5") || isNamed && !charges.contains { $0.transactionIDs.contains(item.purchase.transactionID) }
    }
  }

  /// Returns whether a claim of an open order on one of these rungs was refused, or is not ours. Such an order does not compete on
  /// lower rungs.
  ///
  /// - Parameter sparingOldProducts: whether a claim on an old purchase of another product does not count.
  func isRefused(_ number: Int, on rungs: [String], sparingOldProducts: Bool = false) -> Bool {
    if isMatched(number) { return false }
    return claimsUnproven(orders[number], on: rungs)
      || charges.indices.contains { charge in
        rungs.contains { claims(on: $0, orders[number], charges[charge]) }
          && !(sparingOldProducts && isOldProduct(orders[number], charges[charge]))
          && (refused.contains(pair(number, charge)) || !claimHolds(orders[number], charges[charge]))
      }
  }

  /// Returns whether the transaction named by an open order was refused, so that its token leads to no other charge. An old
  /// purchase of another product does not count.
  private func isNamedTransactionRefused(_ number: Int) -> Bool { isRefused(number, on: ["M1"], sparingOldProducts: true) }

  private func namesOldProduct(_ number: Int) -> Bool {
    charges.contains { namesTransaction(orders[number], $0) && isOldProduct(orders[number], $0) }
  }

  private func isOldProduct(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    order.bundle == charge.bundle && order.environment == charge.environment && owner(of: charge) ?? order.user == order.user
      && order.product != charge.product && charge.purchased < order.created - skew
  }

  /// Assigns the pairs of one rung by facts: orders by creation, and the charges of an order by purchase.
  mutating func assign(_ rung: String, _ reaches: (Ladder, Int, Int) -> Bool) {
    var pairs: [(order: Int, charge: Int)] = []
    for charge in charges.indices where matched[charge] == nil {
      for order in orders.indices where !isMatched(order) && reaches(self, order, charge) {
        if refused.contains(pair(order, charge)) { continue }
        pairs.append((order, charge))
      }
    }
    while true {
      pairs.removeAll { isMatched($0.order) || matched[$0.charge] != nil }
      let first = pairs.min {
        let (one, other) = (orders[$0.order], orders[$1.order])
        if one.rank != other.rank { return one.rank > other.rank }
        if one.id != other.id { return (one.created, one.id) < (other.created, other.id) }
        let (mine, its) = (charges[$0.charge], charges[$1.charge])
        return mine.isFamily != its.isFamily ? its.isFamily : (mine.purchased, mine.label) < (its.purchased, its.label)
      }
      guard let first else { return }
      matched[first.charge] = (first.order, rung)
    }
  }

  /// Assigns the valid claims of a rung. Repeats until nothing changes, because a match may reveal the owner of another chain.
  mutating func assignClaims(_ rung: String) {
    var count = -1
    while matched.count != count {
      count = matched.count
      assign(rung) { ladder, order, charge in
        let (order, charge) = (ladder.orders[order], ladder.charges[charge])
        return ladder.claims(on: rung, order, charge) && ladder.claimHolds(order, charge)
      }
    }
  }

  mutating func evaluateRungs() {
    assignClaims("M1")
    // A matched order is no longer open, so the next order of its token may now be the only one.
    matchTokens { _ in true }
    let known = Set(charges.indices.filter { chainOwner(of: charges[$0]) != nil })
    assignClaims("M3")
    assignLateRenewals(["M1", "M3"])
    matchChains(knownBefore: known)
    assignClaims("M5")
    assignLateRenewals(["M1", "M3", "M5"])
    matchChains(knownBefore: known)
    var count = -1
    while matched.count != count {
      count = matched.count
      singleCandidates()
      assignLateRenewals(["M1", "M3", "M5"])
      matchChains(knownBefore: known)
    }
    ambiguous = ambiguous.mapValues { $0.filter { !isMatched($0) } }.filter { !$0.value.isEmpty }
  }

  /// Assigns late claims on renewals once any rung has found the subscription's owner. They have priority over matches of lower
  /// rungs.
  mutating func assignLateRenewals(_ rungs: [String]) {
    for rung in rungs {
      let late = charges.indices.flatMap { charge in
        orders.indices.filter { isLateRenewal($0, charge) && claims(on: rung, orders[$0], charges[charge]) }.map {
          (order: $0, charge: charge)
        }
      }
      let outranked = late.filter { one in
        matched.allSatisfy { ($0.key != one.charge && $0.value.order != one.order) || $0.value.rung > rung }
      }
      for one in outranked { matched = matched.filter { $0.key != one.charge && $0.value.order != one.order } }
      assign(rung) { _, order, charge in outranked.contains { $0 == (order, charge) } }
    }
  }

  private func isLateRenewal(_ order: Int, _ charge: Int) -> Bool {
    let (order, charge) = (orders[order], charges[charge])
    return charge.isRenewal && chainOwner(of: charge) == order.user && charge.purchased < order.created - lateAfter && agree(order, charge)
  }

  private func claims(on rung: String, _ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    switch rung {
    case "M1": namesTransaction(order, charge)
    case "M3": namesPurchase(order, charge)
    default: carriesEvidence(order, charge)
    }
  }

  mutating func matchTokens(where isEvaluated: (Int) -> Bool) {
    var count = -1
    while matched.count != count {
      count = matched.count
      let before = self
      assign("M2") { _, order, charge in isEvaluated(charge) && before.tokenOrders(charge) == [order] }
    }
  }

  /// Uses the owner of a subscription, found on a rung below M2, to assign its tokens and renewals.
  mutating func matchChains(knownBefore known: Set<Int>) {
    let owned = Set(charges.indices.filter { chainOwner(of: charges[$0]) != nil })
    matchTokens { !known.contains($0) && owned.contains($0) }
    assign("M4") { $0.periodOrders($2).contains($1) }
  }

  func namesTransaction(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    guard let id = order.transactionID, charge.transactionIDs.contains(id) else { return false }
    // An order that names another user's subscription keeps its invalid claim.
    return !namesChain(order) || owner(of: charge) ?? order.user != order.user
  }

  /// Returns whether an order names only a subscription's first transaction and was created for a later period.
  func namesChain(_ order: WorldOrder) -> Bool {
    guard let id = order.transactionID, order.lineItem == nil, order.originalTransactionID ?? id == id else { return false }
    let chain = charges.filter { $0.isRenewable && $0.original == id && $0.environment == order.environment && $0.bundle == order.bundle }
    let first = chain.filter { $0.transactionIDs.contains(id) }
    guard !first.isEmpty else {
      let isKnown = charges.contains {
        $0.transactionIDs.contains(id) && $0.environment == order.environment && $0.bundle == order.bundle
      }
      return !chain.isEmpty && !isKnown
    }
    let ofProduct = chain.filter { $0.isRenewal || $0.product == order.product }
    let later = ofProduct.filter { !$0.transactionIDs.contains(id) }
    let ends = later.map { $0.purchased - lead($0, after: ofProduct) } + first.compactMap(\.expires)
    return ends.min().map { order.created >= $0 } ?? false
  }

  /// Returns whether an order names a period by its transaction. An id that no evidence shows names none, nor does the subscription's.
  func namesPeriod(_ order: WorldOrder) -> Bool {
    guard let id = order.transactionID, !namesChain(order) else { return false }
    return charges.contains { $0.transactionIDs.contains(id) } || claimsUnproven(order, on: ["M5"])
  }

  func namesPurchase(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    if let lineItem = order.lineItem, lineItem == charge.lineItem { return true }
    return !charge.isRenewable && order.originalTransactionID == charge.original
  }

  func carriesEvidence(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    charge.items.contains { $0.id == order.evidenceItem || $0.order == order.id }
  }

  func claims(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    namesTransaction(order, charge) || namesPurchase(order, charge) || carriesEvidence(order, charge)
  }

  /// Returns the open orders that match the charge's token. Carts count only without a paid or delivered order.
  func tokenOrders(_ index: Int) -> [Int] {
    let charge = charges[index]
    guard charge.token != nil, !hasPaidPurchaseOfSameToken(charge) else { return [] }
    let owner = chainOwner(of: charge)
    let fitting = orders.indices.filter { number in
      owner ?? orders[number].user == orders[number].user && reachesByToken(number, charge) && !refused.contains(pair(number, index))
    }
    return best(fitting)
  }

  private func best(_ numbers: [Int]) -> [Int] {
    let rank = numbers.map { orders[$0].rank }.max()
    return numbers.filter { orders[$0].rank == rank }
  }

  /// Returns whether the charge is family-shared while a paid open purchase of the product has the same token.
  private func hasPaidPurchaseOfSameToken(_ charge: OracleCharge) -> Bool {
    charge.isFamily
      && charges.indices.contains { index in
        let paid = charges[index]
        return !paid.isFamily && matched[index] == nil && paid.token == charge.token && paid.product == charge.product
          && paid.bundle == charge.bundle && paid.environment == charge.environment
      }
  }

  func reachesByToken(_ number: Int, _ charge: OracleCharge) -> Bool {
    let order = orders[number]
    guard let token = charge.token, !isMatched(number), isToken(token, of: order), agree(order, charge) else { return false }
    // Duplicates and orders with a refused claim do not compete, unless the token belongs to the order alone.
    let isItsOwn = holders(ofToken: token).isEmpty && orders.count { $0.token == token } == 1
    return (isItsOwn || !isDuplicate(number) && !isNamedTransactionRefused(number)) && order.created <= charge.purchased + skew
      && (!charge.isRenewal || order.created >= charge.purchased - day)
      && !(charge.isLaterPeriod && namesAnother(order, charge, byToken: number)) && !isBookedElsewhere(order, than: charge)
  }

  /// Returns whether the order was settled before the purchase and booked for another period, of the same subscription or of the one that
  /// the order names.
  func isBookedElsewhere(_ order: WorldOrder, than charge: OracleCharge) -> Bool {
    let settled = [order.paid, order.delivered].compactMap { $0 }.min() ?? order.created
    guard charge.isRenewable, order.status != "created", settled < charge.purchased - skew else { return false }
    return charges.contains {
      $0.label != charge.label && [charge.original, namedOriginal(order)].contains($0.original) && isForPeriod(order, $0)
    }
  }

  /// Returns the instant of a chain's first purchase, as its charges state it.
  func chainStart(_ charge: OracleCharge) -> Second {
    chain(of: charge).flatMap { charges[$0].items }
      .map { min($0.purchased, second($0.purchase.originalPurchasedAt ?? $0.purchase.purchasedAt)) }.min() ?? charge.purchased
  }

  func lead(_ charge: OracleCharge) -> Second {
    guard let expires = charge.expires else { return day }
    return min(day, (expires - charge.purchased) / 2)
  }

  /// Returns how long an order is booked ahead: an order nearer to the purchase before is for that one.
  func lead(_ charge: OracleCharge, after others: [OracleCharge]) -> Second {
    let before = others.map(\.purchased).filter { $0 < charge.purchased }.max()
    return min(lead(charge), before.map { (charge.purchased - $0) / 2 } ?? day)
  }

  /// Returns the subscription that an order names, by its original id or by its known first transaction alone.
  func namedOriginal(_ order: WorldOrder) -> String? {
    if let original = order.originalTransactionID { return original }
    guard let first = order.transactionID, namesChain(order) else { return nil }
    return charges.contains { $0.transactionIDs.contains(first) } ? first : nil
  }

  /// Returns whether the order names another subscription, transaction or line item than this period's. For tokens, an old id of
  /// another product is ignored.
  func namesAnother(_ order: WorldOrder, _ charge: OracleCharge, byToken number: Int? = nil) -> Bool {
    let namesPeriod = namesPeriod(order) && !(number.map { namesOldProduct($0) && !isNamedTransactionRefused($0) } ?? false)
    return namedOriginal(order) ?? charge.original != charge.original
      || namesPeriod && !(order.transactionID.map(charge.transactionIDs.contains) ?? true)
      || order.lineItem ?? charge.lineItem != charge.lineItem
  }

  /// Returns whether the order's evidence is of other later periods of the product, or of another subscription's first one alone.
  func showsAnother(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    let shown = charges.filter { $0.isRenewable && agree(order, $0) && carriesEvidence(order, $0) }
    if shown.contains(where: \.isLaterPeriod) { return !carriesEvidence(order, charge) }
    return !shown.isEmpty && shown.allSatisfy { $0.original != charge.original }
  }

  func booksRenewal(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    // A late booking of an upgrade or a resubscription is a late verification.
    order.user == buyer(of: charge) && !order.isCalledOff && (charge.isRenewal || order.created <= charge.purchased + lateAfter)
      && charge.isLaterPeriod && isForPeriod(order, charge)
  }

  /// Returns whether an order of any user is for a period by its names, its evidence and its creation.
  func isForPeriod(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    guard agree(order, charge), !namesAnother(order, charge), !showsAnother(order, charge), !isForNextPeriod(order, charge) else {
      return false
    }
    // The user bought an upgrade or a resubscription, so that its order is not booked ahead. The order of a first purchase precedes it.
    let isInTime = (charge.isRenewal || charge.purchased <= order.created) && order.created >= chainStart(charge)
    return (isInTime || !charge.isLaterPeriod) && isInPeriod(order, charge)
  }

  /// Returns the purchases of a charge's product and all renewals of its subscription. An upgrade is another product's purchase.
  func purchasesOfProduct(_ charge: OracleCharge) -> [OracleCharge] {
    chain(of: charge).map { charges[$0] }.filter { $0.isRenewal || $0.product == charge.product }
  }

  func bookedFrom(_ charge: OracleCharge) -> Second { charge.purchased - lead(charge, after: purchasesOfProduct(charge)) }

  /// Returns whether the order was created in the time in which orders for the charge's period are booked.
  func isInPeriod(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    guard order.created >= bookedFrom(charge) else { return false }
    // A booking after the end is for a period that was never charged.
    guard charge.expires.map({ order.created < $0 }) ?? true else { return false }
    guard let next = purchasesOfProduct(charge).first(where: { $0.purchased > charge.purchased }) else { return true }
    return order.created < next.purchased - lead(next, after: [charge])
  }

  /// Returns whether an order without a named purchase was booked near the end of a period for access until about the next end.
  func isForNextPeriod(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    guard let expires = charge.expires, let access = order.entitlement, order.lineItem == nil, !namesPeriod(order) else {
      return false
    }
    return order.created >= expires - lead(charge) && 2 * (access - expires) >= expires - charge.purchased
  }

  /// Returns the open orders for a renewal. Carts count only without a paid or delivered order.
  func periodOrders(_ index: Int) -> [Int] {
    let fitting = orders.indices.filter { !isMatched($0) && !isDuplicate($0) && booksRenewal(orders[$0], charges[index]) }
    return best(fitting)
  }

  // MARK: M6 and M7

  func possibleUsers(_ charge: OracleCharge) -> Set<String> {
    if let buyer = buyer(of: charge) { return [buyer] }
    var users = Set(charge.items.compactMap(\.user))
    if paysAgain(charge) { return users }
    for device in charge.items.compactMap(\.device) {
      for item in world.items + world.pendingItems where item.device == device { if let user = item.user { users.insert(user) } }
      for order in orders where order.device == device { users.insert(order.user) }
    }
    return users
  }

  /// Returns whether a matched order has a valid claim on this charge too. The charge then belongs to no other user.
  func paysAgain(_ charge: OracleCharge) -> Bool {
    guard let index = charges.firstIndex(where: { $0.label == charge.label }) else { return false }
    return orders.indices.contains { number in
      isMatched(number) && claims(orders[number], charge) && claimHolds(orders[number], charge) && !refused.contains(pair(number, index))
    }
  }

  /// Returns whether the charge carries a token created for one other order, while this order has a different token. A token
  /// that an earlier period carries, too, is repeated by Apple.
  func isForOtherOrder(_ charge: OracleCharge, than order: WorldOrder) -> Bool {
    guard let token = charge.token, let own = order.token, own != token else { return false }
    if chain(of: charge).contains(where: { charges[$0].purchased < charge.purchased && charges[$0].token == token }) { return false }
    return world.users.allSatisfy { !$0.tokens.contains(token) } && orders.count { $0.token == token } == 1
  }

  /// Returns whether the charge can be the order's: by its user, or if no user is known, by the token that both carry.
  private func isPossible(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    let users = possibleUsers(charge)
    return users.isEmpty ? charge.token != nil && order.token == charge.token : users.contains(order.user)
  }

  func isCandidate(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    guard !charge.isFamily, agree(order, charge), order.quantity == charge.quantity, !order.isCalledOff,
      isPossible(order, charge), !isForOtherOrder(charge, than: order), order.created - skew <= charge.purchased,
      !isBookedElsewhere(order, than: charge)
    else { return false }
    if charge.isLaterPeriod,
      namesAnother(order, charge) || showsAnother(order, charge) || isForNextPeriod(order, charge)
    {
      return false
    }
    // A renewal needs no approval: its order is booked ahead as on M4.
    if charge.isRenewal { return order.created >= bookedFrom(charge) }
    let instants = [order.paid, order.delivered].compactMap { $0 }
    let isUnpaid = order.status == "created" || !instants.isEmpty && instants.allSatisfy { $0 >= charge.purchased }
    return charge.purchased <= order.created + (isUnpaid ? 14 * day : day)
  }

  mutating func singleCandidates() {
    var pairs: [Contest.Pair] = []
    for charge in charges.indices where matched[charge] == nil {
      for order in orders.indices where !isMatched(order) && isCandidate(orders[order], charges[charge]) {
        if isDuplicate(order) || isRefused(order, on: ["M1", "M3", "M5"]) || refused.contains(pair(order, charge)) { continue }
        pairs.append((order, charge))
      }
    }
    let all = pairs
    // A paid or delivered order outranks the carts of other users.
    pairs.removeAll { pair in
      let rivals = all.filter { $0.charge == pair.charge && orders[$0.order].rank == 2 }
      return !rivals.isEmpty && !rivals.contains { orders[$0.order].user == orders[pair.order].user }
    }
    for contest in Contest.all(pairs) {
      // Only for one user, because the time distance does not show which of two users paid.
      let isOneUsers = Set(contest.orders.map { orders[$0].user }).count == 1
      for pair in isOneUsers ? agreed(contest, pairs) : [] { matched[pair.charge] = (pair.order, "M6") }
    }
    ambiguous = [:]
    for charge in Set(all.map(\.charge)) where matched[charge] == nil {
      let open = all.filter { $0.charge == charge && !isMatched($0.order) }.map(\.order)
      if !open.isEmpty { ambiguous[charge] = open }
    }
  }

  /// With more orders than charges, a paid or delivered order outranks the carts at its charge.
  private func agreed(_ contest: Contest, _ pairs: [Contest.Pair]) -> [Contest.Pair] {
    let distance = { (pair: Contest.Pair) in abs(charges[pair.charge].purchased - orders[pair.order].created) }
    guard contest.orders.count > contest.charges.count else { return contest.agreed(pairs, distance: distance) }
    let inside = pairs.filter { contest.orders.contains($0.order) && contest.charges.contains($0.charge) }
    let paid = Set(inside.filter { orders[$0.order].rank == 2 }.map(\.charge))
    let left = inside.filter { orders[$0.order].rank == 2 || !paid.contains($0.charge) }
    return Contest.all(left).flatMap { $0.agreed(left, distance: distance) }
  }

  var matches: [String] { matched.map { "\(orders[$1.order].id) \(charges[$0].label) \($1.rung)" }.sorted() }
}
