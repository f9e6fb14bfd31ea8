/// A component with the look-ups of the rungs. It depends on no decision.
struct ComponentIndex: Sendable {
  let component: Component
  let settings: LadderSettings
  let chargesByTransaction: Grouping
  let chargesByLineItem: Grouping
  /// Charges of products that do not renew.
  let chargesByOriginal: Grouping
  let chargesByToken: Grouping
  /// Charges of each subscription by purchase instant, then charge id.
  let chargesByChain: Grouping
  /// Charges of subscriptions by original transaction id, then by purchase instant and charge id.
  let periodsByOriginal: Grouping
  /// By creation, then order id.
  let ordersByUser: Grouping
  let ordersByToken: Grouping
  /// Users who ever held a token.
  let holders: Grouping
  /// Orders to which a token leads, by creation, then order id.
  let tokenOrders: Grouping
  let tokensOfOrder: Grouping
  /// By chain: the user to whom the earliest known token of its charges leads.
  let namedOwners: [ID?]
  /// By order: claims of evidence that proves no purchase of ours.
  let unproven: Grouping
  /// By order: charges to which its evidence decodes, without receipts and answers that list several.
  let shownCharges: Grouping
  let uploadsByCharge: Grouping
  let uploadsByDevice: Grouping
  let ordersByDevice: Grouping
  /// By charge: the span of time in which its order is booked.
  let periods: [Period]
  /// By charge: whether it is a later period of its subscription: a renewal, an upgrade or a resubscription.
  let laterPeriods: [Bool]
  /// Orders that name only the first transaction of a subscription and are for a later period. They count as naming the subscription.
  let laterPeriodOrders: Set<Int>
  /// By order: the transaction by which it names a period. nil if the order names none, only the subscription, or an id of which nothing
  /// is known. Unproven evidence of the order, or Apple's answer that the id is unknown, makes the id count.
  let periodTransactions: [ID?]
  /// Orders that two reviewers marked as benign duplicates. They claim nothing and are never matched.
  let benignDuplicates: Set<Int>
  /// Pairs that two reviewers unmatched.
  let unmatched: Set<Pair>

  var orders: [Order] { component.orders }
  var charges: [Charge] { component.charges }
  var chainCount: Int { namedOwners.count }

  init(_ component: Component, _ settings: LadderSettings) {
    (self.component, self.settings) = (component, settings)
    let (orders, charges) = (component.orders, component.charges)
    chargesByTransaction = Grouping(
      keyCount: component.aliases.reduce(0) { max($0, Int($1.transaction) + 1) },
      pairs: component.aliases.map { (Int($0.transaction), $0.charge) })
    chargesByLineItem = Grouping(charges.count) { charges[$0].lineItem }
    chargesByOriginal = Grouping(charges.count) { charges[$0].chain == nil ? charges[$0].original : nil }
    let byPurchase = charges.indices.sorted { (charges[$0].purchasedAt, $0) < (charges[$1].purchasedAt, $1) }
    chargesByToken = Grouping(charges.count) { charges[byPurchase[$0]].token }.mapped(byPurchase)
    chargesByChain = Grouping(charges.count) { charges[byPurchase[$0]].chain }.mapped(byPurchase)
    periodsByOriginal = Grouping(charges.count) { number in
      let charge = charges[byPurchase[number]]
      return charge.chain == nil ? nil : charge.original
    }.mapped(byPurchase)
    let byCreation = orders.indices.sorted { (orders[$0].createdAt, $0) < (orders[$1].createdAt, $1) }
    ordersByUser = Grouping(orders.count) { orders[byCreation[$0]].user }.mapped(byCreation)
    ordersByToken = Grouping(orders.count) { orders[byCreation[$0]].token }.mapped(byCreation)
    holders = Grouping(
      keyCount: component.tokenHolders.reduce(0) { max($0, Int($1.token) + 1) },
      pairs: component.tokenHolders.map { (Int($0.token), Int($0.user)) })
    let tokens = TokenUsers(component: component, holders: holders, ordersByToken: ordersByToken)
    let tokenPairs = tokens.pairs(byCreation: byCreation, chargesByToken: chargesByToken)
    tokenOrders = Grouping(
      keyCount: tokenPairs.reduce(0) { max($0, $1.token + 1) }, pairs: tokenPairs.map { ($0.token, $0.order) })
    tokensOfOrder = Grouping(keyCount: orders.count, pairs: tokenPairs.map { ($0.order, $0.token) })
    unproven = Grouping(
      keyCount: orders.count, pairs: component.unproven.indices.map { (component.unproven[$0].order, $0) })
    shownCharges = Grouping(
      keyCount: orders.count, pairs: component.evidence.filter { !$0.isListed }.map { ($0.order, $0.charge) })
    let uploads = component.uploads
    uploadsByCharge = Grouping(uploads.count) { uploads[$0].charge.map(ID.init) }
    uploadsByDevice = Grouping(uploads.count) { uploads[$0].device }
    ordersByDevice = Grouping(orders.count) { orders[$0].device }
    let chainCount = charges.reduce(0) { max($0, Int($1.chain ?? -1) + 1) }
    let chains = chargesByChain
    namedOwners = (0..<chainCount).map { chain in
      chains[chain].lazy.compactMap { tokens.owner(of: charges[$0].token) }.first
    }
    periods = Period.all(charges, chains: chains, chainCount: chainCount, window: settings.window)
    let byTransaction = chargesByTransaction
    laterPeriods = charges.indices.map { number in
      charges[number].isRenewal || charges[number].chain != nil && !byTransaction[charges[number].original].contains(number)
    }
    laterPeriodOrders = LaterPeriodOrders(component, chargesByTransaction, periodsByOriginal, settings).orders
    var periodTransactions: [ID?] = []
    for (number, order) in orders.enumerated() {
      let isUnknown = chargesByTransaction[order.transaction].isEmpty && unproven[number].isEmpty
      periodTransactions.append(isUnknown || laterPeriodOrders.contains(number) ? nil : order.transaction)
    }
    self.periodTransactions = periodTransactions
    benignDuplicates = Set(component.decisions.filter { $0.action == .benignDuplicate }.map(\.order))
    unmatched = Set(component.decisions.filter { $0.action == .unmatch }.map { Pair(order: $0.order, charge: $0.charge) })
  }

  /// Returns the only user to whom a token leads; nil if there is none.
  func tokenOwner(_ token: ID?) -> ID? {
    TokenUsers(component: component, holders: holders, ordersByToken: ordersByToken).owner(of: token)
  }

  /// Whether a token was made for one order: no user ever held it and no other order carries it.
  func isTokenOfOneOrder(_ token: ID?) -> Bool { token != nil && holders[token].isEmpty && ordersByToken[token].count == 1 }

  /// Returns a user's orders that were created in a range of instants, by creation.
  func orders(of user: ID, createdIn range: ClosedRange<Microseconds>) -> ArraySlice<Int> { created(in: range, ordersByUser[user]) }

  /// Returns those of some orders that were created in a range of instants.
  ///
  /// - Parameter all: orders by creation.
  func created(in range: ClosedRange<Microseconds>, _ all: ArraySlice<Int>) -> ArraySlice<Int> {
    let first = all.partitioningIndex { orders[$0].createdAt >= range.lowerBound }
    let end = all.partitioningIndex { orders[$0].createdAt > range.upperBound }
    return all[first..<end]
  }

  /// Returns the original transaction id of the subscription that an order names, by its known first transaction too; nil if it names
  /// none.
  func namedOriginal(of order: Int) -> ID? {
    if let original = orders[order].original { return original }
    guard let first = orders[order].transaction, laterPeriodOrders.contains(order), !chargesByTransaction[first].isEmpty else { return nil }
    return first
  }

  /// Returns the charges of the subscription that an order names by its original transaction id, by purchase instant.
  func namedSubscription(of order: Int) -> [Int] {
    let key = orders[order].productKey
    return periodsByOriginal[orders[order].original].filter { number in
      let other = charges[number].productKey
      return other.app == key.app && other.environment == key.environment
    }
  }

  /// Whether order and charge agree on app, environment and product.
  func agree(_ order: Int, _ charge: Int) -> Bool { difference(order, charge) == nil }

  /// Returns the first field in which an order and a charge differ; nil if they agree.
  func difference(_ order: Int, _ charge: Int) -> Difference? {
    let (ordered, charged) = (orders[order].productKey, charges[charge].productKey)
    if ordered.app != charged.app { return .app }
    if ordered.environment != charged.environment { return .environment }
    return ordered.product == charged.product ? nil : .product
  }
}

struct Pair: Hashable, Sendable {
  var order: Int
  var charge: Int
}

extension ArraySlice {
  /// Returns the first index at which `isAfter` is true. The elements must be sorted by it.
  func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
