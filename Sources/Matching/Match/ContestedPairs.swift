internal import Domain
internal import JobCore
internal import Postgres

/// Rung M6 where several orders and several charges of one user fit each other: the assignment of the least total time
/// distance, where it is the only one and leaves nobody over.
struct ContestedPairs {
  /// Users whose contested pairs are in memory together.
  static let pageUsers: Int64 = 5000

  let context: JobContext

  /// Decides what can be decided; the rest stays ambiguous.
  func decide(_ tx: inout DatabaseTransaction) throws {
    let found = try tx.run(context.sql(MatchSQL.contested), ["count_max": .int8(Int64(LeastDistance.countMax))])
    guard found > 0 else { return }
    try tx.execute("analyze match_contested")
    let users = try tx.rows(context.sql(MatchSQL.contestedUsers)).first ?? 0
    for first in stride(from: 1, through: users, by: Int64.Stride(Self.pageUsers)) {
      let pairs = try page(&tx, from: first, to: first + Self.pageUsers - 1)
      try record(Contest.parts(of: pairs).flatMap { $0.certainPairs() }, &tx)
    }
  }

  private func page(_ tx: inout DatabaseTransaction, from first: Int64, to last: Int64) throws -> [ContestedPair] {
    try tx.rows(context.sql(MatchSQL.contestedPage), ["first_place": .int8(first), "last_place": .int8(last)]).map {
      ContestedPair(
        user: $0, orderID: $1, chargeID: $2, originalTransactionID: $3, distance: $4, isStanding: $5, isTainted: $6)
    }
  }

  private func record(_ pairs: [ContestedPair], _ tx: inout DatabaseTransaction) throws {
    guard !pairs.isEmpty else { return }
    _ = try tx.copyIn(
      "copy match_decided (order_id, charge_id, original_transaction_id, rung) from stdin (format binary)"
    ) { writer in
      for pair in pairs {
        try writer.beginRow(columns: 4)
        try writer.text(pair.orderID)
        try writer.text(pair.chargeID)
        try writer.text(pair.originalTransactionID)
        try writer.text("M6")
      }
    }
  }
}

/// An order and a charge that fit, and are not each other's only candidate.
struct ContestedPair {
  /// Number of the user.
  var user: Int64 = 0
  var orderID: String
  var chargeID: String
  var originalTransactionID = ""
  /// Microseconds.
  var distance: Int64 = 0
  /// Whether the order was paid or delivered; any other is a cart.
  var isStanding: Bool
  /// Whether it touches a pair that nobody may decide.
  var isTainted = false
}

/// Orders and charges that contend for each other, directly or through others.
struct Contest {
  private(set) var orders: [String: Int] = [:]
  private(set) var charges: [String: Int] = [:]
  private(set) var pairs: [ContestedPair] = []

  /// What is left of each user's contests without the carts that somebody goes before.
  ///
  /// - Parameter pairs: user by user.
  static func parts(of pairs: [ContestedPair]) -> [Contest] {
    var parts: [Contest] = []
    var rest = pairs[...]
    while let user = rest.first?.user {
      let end = rest.firstIndex { $0.user != user } ?? rest.endIndex
      parts += contests(of: rest[..<end]).flatMap { $0.withoutSpareCarts() }
      rest = rest[end...]
    }
    return parts
  }

  /// Connected parts of one user's pairs, in the order of their first pair.
  private static func contests(of pairs: ArraySlice<ContestedPair>) -> [Contest] {
    var sets = DisjointSets()
    for pair in pairs { sets.join("o\(pair.orderID)", "c\(pair.chargeID)") }
    var contests: [Contest] = []
    var places: [Int: Int] = [:]
    for pair in pairs {
      let root = sets.root(of: "o\(pair.orderID)")
      let place = places[root] ?? contests.count
      if place == contests.count {
        places[root] = place
        contests.append(Contest())
      }
      contests[place].add(pair)
    }
    return contests
  }

  private mutating func add(_ pair: ContestedPair) {
    pairs.append(pair)
    if orders[pair.orderID] == nil { orders[pair.orderID] = orders.count }
    if charges[pair.chargeID] == nil { charges[pair.chargeID] = charges.count }
  }

  /// Where there are more orders than charges, a paid or delivered order outranks the carts at its charge.
  private func withoutSpareCarts() -> [Contest] {
    guard orders.count > charges.count else { return [self] }
    let paid = Set(pairs.filter(\.isStanding).map(\.chargeID))
    return Self.contests(of: pairs.filter { $0.isStanding || !paid.contains($0.chargeID) }[...])
  }

  /// Pairs that are in every assignment of the least total time distance.
  func certainPairs() -> [ContestedPair] {
    // Who of a larger side stays without partner, no distance can tell.
    guard orders.count == charges.count, orders.count <= LeastDistance.countMax, !pairs.contains(where: \.isTainted)
    else { return [] }
    var assignment = LeastDistance(count: orders.count)
    for pair in pairs {
      guard let order = orders[pair.orderID], let charge = charges[pair.chargeID] else { continue }
      assignment.allow(order: order, charge: charge, distance: pair.distance)
    }
    guard let certain = assignment.certainPairs() else { return [] }
    return pairs.filter { pair in
      guard let order = orders[pair.orderID] else { return false }
      return certain[order] == charges[pair.chargeID]
    }
  }
}

/// Names that belong together, by union and find.
private struct DisjointSets {
  private var numbers: [String: Int] = [:]
  private var parents: [Int] = []

  mutating func root(of name: String) -> Int {
    let number = numbers[name] ?? parents.count
    if number == parents.count {
      numbers[name] = number
      parents.append(number)
    }
    var root = number
    while parents[root] != root {
      parents[root] = parents[parents[root]]
      root = parents[root]
    }
    return root
  }

  mutating func join(_ one: String, _ other: String) {
    let (first, second) = (root(of: one), root(of: other))
    parents[max(first, second)] = min(first, second)
  }
}
