/// One evaluation of the rungs over a component, with the matches so far.
struct Evaluation {
  let index: ComponentIndex
  /// Pairs that an earlier evaluation matched and that contradict the final owner of their subscription.
  let contradicted: Set<Pair>
  /// Charges that orders name by transaction id, line item or evidence.
  var claims: ClaimList
  /// Candidates of the last evaluation of M6.
  var candidates: [Candidate] = []
  /// nil unless an explanation is requested.
  var considerations: Considerations?
  private(set) var chargeOfOrder: [Int?]
  private(set) var orderOfCharge: [Int?]
  private(set) var rungOfCharge: [Rung?]
  /// By chain: the match that determines the owner if no token does.
  private var ownerMatches: [OwnerMatch?]

  private struct OwnerMatch {
    var rank: (rung: Rung, purchasedAt: Microseconds, charge: Int)
    var user: ID
  }

  init(_ index: ComponentIndex, contradicted: Set<Pair>) {
    (self.index, self.contradicted) = (index, contradicted)
    claims = ClaimList(named: index)
    chargeOfOrder = Array(repeating: nil, count: index.orders.count)
    orderOfCharge = Array(repeating: nil, count: index.charges.count)
    rungOfCharge = Array(repeating: nil, count: index.charges.count)
    ownerMatches = Array(repeating: nil, count: index.chainCount)
  }

  func order(_ order: Int) -> Order { index.orders[order] }
  func charge(_ charge: Int) -> Charge { index.charges[charge] }

  /// Whether the order may still be matched.
  func isOpen(order: Int) -> Bool { chargeOfOrder[order] == nil && !index.benignDuplicates.contains(order) }
  func isOpen(charge: Int) -> Bool { orderOfCharge[charge] == nil }

  mutating func match(_ pair: Pair, on rung: Rung) {
    chargeOfOrder[pair.order] = pair.charge
    orderOfCharge[pair.charge] = pair.order
    rungOfCharge[pair.charge] = rung
    noteOwner(pair.charge)
  }

  /// Removes a match of this evaluation, because a better claim needs its order or charge.
  mutating func release(charge: Int) {
    guard let order = orderOfCharge[charge] else { return }
    (chargeOfOrder[order], orderOfCharge[charge], rungOfCharge[charge]) = (nil, nil, nil)
    guard let chain = self.charge(charge).chain else { return }
    ownerMatches[Int(chain)] = nil
    for member in index.chargesByChain[chain] { noteOwner(member) }
  }

  private mutating func noteOwner(_ charge: Int) {
    guard let chain = self.charge(charge).chain, let order = orderOfCharge[charge], let rung = rungOfCharge[charge] else { return }
    let rank = (rung, self.charge(charge).purchasedAt, charge)
    if let known = ownerMatches[Int(chain)], known.rank <= rank { return }
    ownerMatches[Int(chain)] = OwnerMatch(rank: rank, user: self.order(order).user)
  }
}

extension Evaluation {
  /// Returns the owner of the charge's subscription; nil if it is unknown or the product does not renew.
  ///
  /// The owner is the user of the earliest known token. Without one, it is the user of the match on the highest rung, and of those the
  /// earliest purchase.
  func chainOwner(ofCharge charge: Int) -> ID? {
    guard let chain = self.charge(charge).chain else { return nil }
    return index.namedOwners[Int(chain)] ?? ownerMatches[Int(chain)]?.user
  }

  /// Whether the owner of the charge's subscription is known only from a match below the given rung.
  func isOwnerFromMatch(below rung: Rung, charge: Int) -> Bool {
    guard let chain = self.charge(charge).chain, index.namedOwners[Int(chain)] == nil else { return false }
    return ownerMatches[Int(chain)].map { $0.rank.rung > rung } ?? false
  }

  func owner(ofChain chain: Int) -> ID? { index.namedOwners[chain] ?? ownerMatches[chain]?.user }

  /// Returns the user whom a claim on the charge must not contradict. The token's owner takes precedence over the subscription's.
  func owner(ofCharge charge: Int) -> ID? { index.tokenOwner(self.charge(charge).token) ?? chainOwner(ofCharge: charge) }

  /// Returns the user whose orders are searched for the charge. The subscription's owner takes precedence over the token's.
  func buyer(ofCharge charge: Int) -> ID? { chainOwner(ofCharge: charge) ?? index.tokenOwner(self.charge(charge).token) }
}
