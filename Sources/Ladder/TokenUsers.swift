/// The user to whom a token leads, and the orders to which it leads.
struct TokenUsers {
  let component: Component
  let holders: Grouping
  let ordersByToken: Grouping

  /// Returns the only user who ever held the token. If none did, returns the only user whose orders carry it. nil if there are several.
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

  /// Returns the pairs of tokens and orders in which the token leads to the order.
  ///
  /// An order with a token has that token, unless it leads to another user. An order without one has every token that only its user held
  /// and that a charge of its app and product carries.
  ///
  /// - Parameter byCreation: the orders by creation; the result keeps this order.
  func pairs(byCreation: [Int], chargesByToken: Grouping) -> [(token: Int, order: Int)] {
    let orders = component.orders
    var tokensOfUser: [ID: Set<ID>] = [:]
    for holder in component.tokenHolders where owner(of: holder.token) == holder.user && !chargesByToken[holder.token].isEmpty {
      tokensOfUser[holder.user, default: []].insert(holder.token)
    }
    var pairs: [(token: Int, order: Int)] = []
    for order in byCreation {
      if let token = orders[order].token {
        if owner(of: token) ?? orders[order].user == orders[order].user { pairs.append((Int(token), order)) }
        continue
      }
      for token in tokensOfUser[orders[order].user] ?? [] where chargesByToken[token].contains(where: { carries($0, order) }) {
        pairs.append((Int(token), order))
      }
    }
    return pairs
  }

  private func carries(_ charge: Int, _ order: Int) -> Bool {
    let (charge, order) = (component.charges[charge].productKey, component.orders[order].productKey)
    return charge.product == order.product && charge.app == order.app
  }
}
