import Domain
import TestSupport

let grace = day
let skew = 300
let lateAfter = 7 * day

/// Who pays for what: the ladder of PRODUCT.md 4, one rung after another over plain arrays.
struct Ladder {
  let world: World
  let charges: [OracleCharge]
  let orders: [WorldOrder]
  /// By index of the charge: index of the order, and the rung.
  var held: [Int: (order: Int, rung: String)] = [:]
  /// By index of the charge: indices of the orders between which nothing decides.
  var ambiguous: [Int: [Int]] = [:]

  /// Pairs that the final owner of a chain refuses, as `order charge`.
  var refused: Set<String> = []

  init(_ world: World) {
    self.world = world
    orders = world.orders
    charges = oracleCharges(world.items)
    while true {
      held = [:]
      ambiguous = [:]
      climb()
      let strangers = held.filter { charge, match in
        ["M1", "M3", "M5"].contains(match.rung)
          && owner(of: charges[charge]).map { $0 != orders[match.order].user } ?? false
      }
      if strangers.isEmpty { return }
      for (charge, match) in strangers { refused.insert(pair(match.order, charge)) }
    }
  }

  private func pair(_ order: Int, _ charge: Int) -> String { "\(order) \(charge)" }

  // MARK: Owners

  /// The one user a token names.
  func owner(ofToken token: String?) -> String? {
    guard let token else { return nil }
    let users = world.users.filter { $0.token == token }
    if let user = users.first { return user.id }
    let names = Set(orders.filter { $0.token == token }.map(\.user))
    return names.count == 1 ? names.first : nil
  }

  func effectiveToken(_ order: WorldOrder) -> String? {
    order.token ?? world.users.first { $0.id == order.user }?.token
  }

  func chain(of charge: OracleCharge) -> [Int] {
    charges.indices.filter { index in
      let other = charges[index]
      return other.isRenewable && charge.isRenewable && other.environment == charge.environment
        && other.bundle == charge.bundle && other.original == charge.original
    }.sorted { charges[$0].purchased < charges[$1].purchased }
  }

  func chainOwner(of charge: OracleCharge) -> String? {
    let chain = chain(of: charge)
    let named = Set(chain.compactMap { owner(ofToken: charges[$0].token) })
    if named.count == 1 { return named.first }
    // What a higher rung decided names the owner before what a lower one did; then the earliest purchase.
    let matches = chain.compactMap { held[$0] }
    guard let highest = matches.map(\.rung).min(), let match = matches.first(where: { $0.rung == highest }) else {
      return nil
    }
    return orders[match.order].user
  }

  func owner(of charge: OracleCharge) -> String? { owner(ofToken: charge.token) ?? chainOwner(of: charge) }

  // MARK: Rungs

  func isHeld(_ order: Int) -> Bool { held.values.contains { $0.order == order } }

  /// Whether an order names what an item tells, genuine or not.
  func names(_ order: WorldOrder, _ item: WorldItem) -> Bool {
    if item.id == order.evidenceItem || item.order == order.id { return true }
    guard item.purchase.transactionID == order.transactionID else { return false }
    return !item.isForged
      || !world.items.contains { !$0.isForged && $0.purchase.transactionID == order.transactionID }
  }

  func agree(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    order.bundle == charge.bundle && order.environment == charge.environment && order.product == charge.product
  }

  func claimHolds(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    guard agree(order, charge), charge.purchased >= order.created - lateAfter else { return false }
    guard let owner = owner(of: charge) else { return true }
    return owner == order.user
  }

  /// Facts decide between the pairs of one rung: charges in order of purchase within orders in order of creation.
  mutating func assign(_ rung: String, _ reaches: (Ladder, Int, Int) -> Bool) {
    var pairs: [(order: Int, charge: Int)] = []
    for charge in charges.indices where held[charge] == nil {
      for order in orders.indices where !isHeld(order) && reaches(self, order, charge) {
        if refused.contains(pair(order, charge)) { continue }
        pairs.append((order, charge))
      }
    }
    while true {
      pairs.removeAll { isHeld($0.order) || held[$0.charge] != nil }
      let first = pairs.min {
        (orders[$0.order].created, orders[$0.order].id, charges[$0.charge].purchased, charges[$0.charge].label)
          < (orders[$1.order].created, orders[$1.order].id, charges[$1.charge].purchased, charges[$1.charge].label)
      }
      guard let first else { return }
      held[first.charge] = (first.order, rung)
    }
  }

  mutating func climb() {
    assign("M1") { $0.namesTransaction($0.orders[$1], $0.charges[$2]) && $0.claimHolds($0.orders[$1], $0.charges[$2]) }
    // An order that found its charge is not open any more: the next one of its token may be alone now.
    var count = -1
    while held.count != count {
      count = held.count
      let before = self
      assign("M2") { _, order, charge in before.tokenOrders(charge) == [order] }
    }
    assign("M3") { $0.namesPurchase($0.orders[$1], $0.charges[$2]) && $0.claimHolds($0.orders[$1], $0.charges[$2]) }
    assign("M4") { $0.booksRenewal($0.orders[$1], $0.charges[$2]) }
    assign("M5") { $0.carriesEvidence($0.orders[$1], $0.charges[$2]) && $0.claimHolds($0.orders[$1], $0.charges[$2]) }
    assign("M4") { $0.booksRenewal($0.orders[$1], $0.charges[$2]) }
    singleCandidates()
  }

  func namesTransaction(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    order.transactionID.map(charge.transactionIDs.contains) ?? false
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

  /// Open orders that carry the charge's token.
  func tokenOrders(_ index: Int) -> [Int] {
    let charge = charges[index]
    guard let token = charge.token else { return [] }
    return orders.indices.filter { number in
      let order = orders[number]
      return !isHeld(number) && effectiveToken(order) == token && agree(order, charge)
        && owner(ofToken: token) ?? order.user == order.user
        && order.created <= charge.purchased + skew
        && (!charge.isRenewal || order.created >= charge.purchased - day)
    }
  }

  /// First purchase of a chain, as its charges tell it.
  func chainStart(_ charge: OracleCharge) -> Second {
    chain(of: charge).flatMap { charges[$0].items }
      .map { min($0.purchased, second($0.purchase.originalPurchasedAt ?? $0.purchase.purchasedAt)) }.min() ?? charge.purchased
  }

  func lead(_ charge: OracleCharge) -> Second {
    guard let expires = charge.expires else { return day }
    return min(day, (expires - charge.purchased) / 2)
  }

  func booksRenewal(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    guard charge.isRenewal, order.user == owner(of: charge), agree(order, charge), order.status != "cancelled",
      order.originalTransactionID ?? charge.original == charge.original
    else {
      return false
    }
    let chain = chain(of: charge)
    guard order.created >= chainStart(charge), order.created >= charge.purchased - lead(charge) else {
      return false
    }
    guard let next = chain.first(where: { charges[$0].purchased > charge.purchased }) else {
      return charge.expires.map { order.created < $0 } ?? true
    }
    return order.created < charges[next].purchased - lead(charges[next])
  }

  // MARK: M6 and M7

  func possibleUsers(_ charge: OracleCharge) -> Set<String> {
    if let owner = owner(of: charge) { return [owner] }
    var users = Set(charge.items.compactMap(\.user))
    if paysAgain(charge) { return users }
    for device in charge.items.compactMap(\.device) {
      for item in world.items where item.device == device { if let user = item.user { users.insert(user) } }
      for order in orders where order.device == device { users.insert(order.user) }
    }
    return users
  }

  /// Whether the charge is claimed, rightly, for an order that another charge paid: it is nobody else's.
  func paysAgain(_ charge: OracleCharge) -> Bool {
    guard let index = charges.firstIndex(where: { $0.label == charge.label }) else { return false }
    return orders.indices.contains { number in
      isHeld(number) && claims(orders[number], charge) && claimHolds(orders[number], charge)
        && !refused.contains(pair(number, index))
    }
  }

  func isCandidate(_ order: WorldOrder, _ charge: OracleCharge) -> Bool {
    guard !charge.isRenewal, !charge.isFamily, agree(order, charge), order.quantity == charge.quantity, order.status != "cancelled",
      possibleUsers(charge).contains(order.user)
    else { return false }
    let instants = [order.paid, order.delivered].compactMap { $0 }
    let isUnpaid = order.status == "created" || !instants.isEmpty && instants.allSatisfy { $0 >= charge.purchased }
    return order.created - skew <= charge.purchased
      && charge.purchased <= order.created + (isUnpaid ? 14 * day : day)
  }

  mutating func singleCandidates() {
    var pairs: [(order: Int, charge: Int)] = []
    for charge in charges.indices where held[charge] == nil {
      for order in orders.indices where !isHeld(order) && isCandidate(orders[order], charges[charge]) {
        pairs.append((order, charge))
      }
    }
    for contest in Contest.all(pairs) {
      // One user's only: who of two people paid, no distance tells.
      let isOneUsers = Set(contest.orders.map { orders[$0].user }).count == 1
      let agreed = isOneUsers
        ? contest.agreed(pairs) { abs(charges[$0.charge].purchased - orders[$0.order].created) } : []
      for pair in agreed { held[pair.charge] = (pair.order, "M6") }
      for charge in contest.charges where held[charge] == nil {
        ambiguous[charge] = pairs.filter { $0.charge == charge && !isHeld($0.order) }.map(\.order)
      }
    }
  }

  var matches: [String] { held.map { "\(orders[$1.order].id) \(charges[$0].label) \($1.rung)" }.sorted() }
}
