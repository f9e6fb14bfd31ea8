/// Orders and charges of one user with several possible pairings. Every pairing is tried.
struct Contest {
  var orders: [Int] = []
  var charges: [Int] = []

  typealias Pair = (order: Int, charge: Int)

  /// Returns the groups of pairs that share an order or a charge, directly or through others.
  static func all(_ pairs: [Pair]) -> [Contest] {
    var groups: [Contest] = []
    for pair in pairs {
      let touched = groups.indices.filter { groups[$0].orders.contains(pair.order) || groups[$0].charges.contains(pair.charge) }
      var group = Contest()
      for index in touched.reversed() {
        let old = groups.remove(at: index)
        group.orders += old.orders
        group.charges += old.charges
      }
      if !group.orders.contains(pair.order) { group.orders.append(pair.order) }
      if !group.charges.contains(pair.charge) { group.charges.append(pair.charge) }
      groups.append(group)
    }
    return groups
  }

  /// Returns the pairs common to all best complete pairings, or none if no pairing is complete.
  func agreed(_ pairs: [Pair], distance: (Pair) -> Int) -> [Pair] {
    guard orders.count == charges.count else { return [] }
    var best = Int.max
    var common: [Int: Int] = [:]
    func go(_ index: Int, _ total: Int, _ taken: [Int]) {
      guard total <= best else { return }
      guard index < orders.count else {
        let way = Dictionary(uniqueKeysWithValues: zip(orders, taken))
        common = total < best ? way : common.filter { way[$0.key] == $0.value }
        best = total
        return
      }
      for charge in charges where !taken.contains(charge) && pairs.contains(where: { $0 == (orders[index], charge) }) {
        go(index + 1, total + distance((orders[index], charge)), taken + [charge])
      }
    }
    go(0, 0, [])
    return common.map { ($0.key, $0.value) }
  }
}
