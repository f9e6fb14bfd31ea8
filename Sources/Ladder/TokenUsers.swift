/// Which user a token leads to, and for which orders it speaks.
struct TokenUsers {
  let component: Component
  let holders: Grouping
  let ordersByToken: Grouping

  /// Returns the one user who ever held the token; if no user did, the one user whose orders carry it. nil if several did.
  func owner(of token: ID?) -> ID? {
    guard token != nil else { return nil }
    let held = holders[token]
    if let first = held.first {
      return held.allSatisfy { $0 == first } ? ID(first) : nil
    }
    let carrying = ordersByToken[token]
    guard let first = carrying.first.map({ component.orders[$0].user }) else { return nil }
    return carrying.allSatisfy { component.orders[$0].user == first } ? first : nil
  }

  /// Returns the tokens that speak for orders: an order's token unless it leads to another user; for an order without one,
  /// every token that its user alone ever held and that a charge of its app and product carries.
  ///
  /// - Parameter byCreation: the orders by creation; the result has that order.
  func speaking(byCreation: [Int], chargesByToken: Grouping) -> [(token: Int, order: Int)] {
    let orders = component.orders
    var tokensOfUser: [ID: Set<ID>] = [:]
    for holder in component.tokenHolders where owner(of: holder.token) == holder.user && !chargesByToken[holder.token].isEmpty {
      tokensOfUser[holder.user, default: []].insert(holder.token)
    }
    var speaking: [(token: Int, order: Int)] = []
    for order in byCreation {
      if let token = orders[order].token {
        if owner(of: token) ?? orders[order].user == orders[order].user { speaking.append((Int(token), order)) }
        continue
      }
      for token in tokensOfUser[orders[order].user] ?? [] where chargesByToken[token].contains(where: { carries($0, order) }) {
        speaking.append((Int(token), order))
      }
    }
    return speaking
  }

  private func carries(_ charge: Int, _ order: Int) -> Bool {
    let (charge, order) = (component.charges[charge].productKey, component.orders[order].productKey)
    return charge.product == order.product && charge.app == order.app
  }
}
