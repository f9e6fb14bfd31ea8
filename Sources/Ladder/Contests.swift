internal import Domain

/// Candidates that share an order or a charge with others, and the pairs that are certain among them.
struct Contests: Sendable {
  let candidates: [Candidate]
  /// Pairs that are the only candidate in both directions.
  private(set) var singles: [Pair] = []
  /// Pairs that every assignment with the least total time distance contains.
  private(set) var assigned: [Pair] = []
  /// Connected candidates that share orders or charges, of one user each. Carts that a paid or delivered order outranks are left out.
  private(set) var parts: [[Candidate]] = []

  init(_ candidates: [Candidate], in evaluation: Evaluation) {
    self.candidates = candidates
    let ofOrder = Dictionary(grouping: candidates, by: \.pair.order)
    let ofCharge = Dictionary(grouping: candidates, by: \.pair.charge)
    func counts(_ candidate: Candidate) -> (orders: Int, charges: Int) {
      (ofCharge[candidate.pair.charge]?.count ?? 0, ofOrder[candidate.pair.order]?.count ?? 0)
    }
    singles = candidates.filter { counts($0) == (1, 1) }.map(\.pair)
    let contending = candidates.filter {
      counts($0) != (1, 1) && Self.mayHavePaid($0, among: ofCharge[$0.pair.charge] ?? [], evaluation)
    }
    let users = Dictionary(grouping: contending, by: \.pair.charge)
      .mapValues { rivals in Set(rivals.map { evaluation.order($0.pair.order).user }) }
    // Distance cannot show which of two users paid. `LeastDistance` limits the size of an assignment.
    func isUndecidable(_ candidate: Candidate) -> Bool {
      let (orders, charges) = counts(candidate)
      return users[candidate.pair.charge]?.count ?? 0 > 1 || max(orders, charges) > LeastDistance.countMax
    }
    let undecidable = contending.filter(isUndecidable).map(\.pair)
    let (undecidableOrders, undecidableCharges) = (Set(undecidable.map(\.order)), Set(undecidable.map(\.charge)))
    parts = Self.parts(contending.filter { !isUndecidable($0) }).flatMap { Self.withoutSpareCarts($0, evaluation) }
    for part in parts {
      let sharesUndecidable = part.contains {
        undecidableOrders.contains($0.pair.order) || undecidableCharges.contains($0.pair.charge)
      }
      if !sharesUndecidable { assigned += Self.certainPairs(part) }
    }
  }

  /// Whether the candidate's user has a paid or delivered order for the charge, or no user has one.
  ///
  /// - Parameter rivals: all candidates of the charge.
  private static func mayHavePaid(_ candidate: Candidate, among rivals: [Candidate], _ evaluation: Evaluation) -> Bool {
    let paid = rivals.map { evaluation.order($0.pair.order) }.filter(\.isPaidOrDelivered)
    return paid.isEmpty || paid.contains { $0.user == evaluation.order(candidate.pair.order).user }
  }

  /// Returns the groups of candidates that share orders or charges, directly or through others.
  static func parts(_ candidates: [Candidate]) -> [[Candidate]] {
    var sets = DisjointSets(count: candidates.count)
    var (firstOfOrder, firstOfCharge): ([Int: Int], [Int: Int]) = ([:], [:])
    for (number, candidate) in candidates.enumerated() {
      sets.join(firstOfOrder[candidate.pair.order, default: number], number)
      sets.join(firstOfCharge[candidate.pair.charge, default: number], number)
      firstOfOrder[candidate.pair.order] = number
      firstOfCharge[candidate.pair.charge] = number
    }
    let roots = candidates.indices.map { sets.root(of: $0) }
    let groups = Dictionary(grouping: candidates.indices) { roots[$0] }
    return groups.keys.sorted().map { root in (groups[root] ?? []).map { candidates[$0] } }
  }

  /// Removes carts at charges that have a paid or delivered candidate, if there are more orders than charges. Returns the remaining
  /// groups.
  static func withoutSpareCarts(_ part: [Candidate], _ evaluation: Evaluation) -> [[Candidate]] {
    guard Set(part.map(\.pair.order)).count > Set(part.map(\.pair.charge)).count else { return [part] }
    let isPaid = { (candidate: Candidate) in evaluation.order(candidate.pair.order).isPaidOrDelivered }
    let paid = Set(part.filter(isPaid).map(\.pair.charge))
    return parts(part.filter { isPaid($0) || !paid.contains($0.pair.charge) })
  }

  /// Returns the pairs that every best assignment contains; none if an order or a charge would be left over.
  private static func certainPairs(_ part: [Candidate]) -> [Pair] {
    let orders = Array(Set(part.map(\.pair.order))).sorted()
    let charges = Array(Set(part.map(\.pair.charge))).sorted()
    guard orders.count == charges.count, orders.count <= LeastDistance.countMax else { return [] }
    let orderNumbers = Dictionary(uniqueKeysWithValues: zip(orders, orders.indices))
    let chargeNumbers = Dictionary(uniqueKeysWithValues: zip(charges, charges.indices))
    var assignment = LeastDistance(count: orders.count)
    for candidate in part {
      guard let order = orderNumbers[candidate.pair.order], let charge = chargeNumbers[candidate.pair.charge] else { continue }
      assignment.allow(order: order, charge: charge, distance: candidate.distance)
    }
    guard let certain = assignment.certainPairs() else { return [] }
    return zip(orders, certain).compactMap { order, charge in charge.map { Pair(order: order, charge: charges[$0]) } }
  }
}

/// Disjoint sets of numbers (union-find).
struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  mutating func root(of number: Int) -> Int {
    var root = number
    while parents[root] != root {
      parents[root] = parents[parents[root]]
      root = parents[root]
    }
    return root
  }

  mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (root(of: one), root(of: other))
    parents[max(first, second)] = min(first, second)
  }
}
