/// The span of time in which a renewal's order is booked, and the instants from which an order is for the next period.
struct Period: Sendable {
  var bookedFrom: Microseconds = .min
  /// An order created at this instant or later is for a later period.
  var bookedBefore: Microseconds = .max
  /// An order created at this instant or later is for the next period if its access ends at `nextAccessFrom` or later.
  var nextBookedFrom: Microseconds = .max
  var nextAccessFrom: Microseconds = .max

  func isBooked(at createdAt: Microseconds) -> Bool { bookedFrom <= createdAt && createdAt < bookedBefore }

  /// Whether an order that names no purchase is for the next period: created near the end of this one, with access that ends nearer to
  /// the end of the next.
  ///
  /// - Parameter transaction: the transaction by which the order names a period.
  func isNext(_ order: Order, naming transaction: ID?) -> Bool {
    guard let access = order.accessUntil, transaction == nil, order.lineItem == nil else { return false }
    return order.createdAt >= nextBookedFrom && access >= nextAccessFrom
  }

  /// Returns the earliest instant at which the order of a charge may be booked.
  ///
  /// - Parameters:
  ///   - previous: the charge before it that may have an order of the same product. An order nearer to that purchase is not for this one.
  ///   - window: longest time that an order is booked ahead. Half the period applies if it is shorter.
  static func bookedFrom(_ charge: Charge, after previous: Charge?, _ window: Microseconds) -> Microseconds {
    let ahead = previous.map { (charge.purchasedAt - $0.purchasedAt) / 2 } ?? .max
    return charge.purchasedAt - min(lead(charge, window), ahead)
  }

  private static func isPrevious(_ earlier: Charge, before charge: Charge) -> Bool {
    earlier.purchasedAt < charge.purchasedAt && earlier.mayHaveOrder(of: charge.productKey.product)
  }

  private static func isNext(_ later: Charge, after charge: Charge) -> Bool {
    later.purchasedAt > charge.purchasedAt && later.mayHaveOrder(of: charge.productKey.product)
  }

  private static func lead(_ charge: Charge, _ window: Microseconds) -> Microseconds {
    charge.expiresAt.map { min(window, ($0 - charge.purchasedAt) / 2) } ?? window
  }

  /// Returns the periods of all charges. The periods of products that do not renew are unbounded.
  ///
  /// - Parameter window: as in `bookedFrom`.
  static func all(_ charges: [Charge], chains: Grouping, chainCount: Int, window: Microseconds) -> [Period] {
    var periods = Array(repeating: Period(), count: charges.count)
    for chain in 0..<chainCount {
      let members = chains[chain]
      for (position, member) in zip(members.indices, members) {
        let charge = charges[member]
        let previous = members[..<position].reversed().lazy.map { charges[$0] }.first { isPrevious($0, before: charge) }
        periods[member].bookedFrom = bookedFrom(charge, after: previous, window)
        if let expires = charge.expiresAt {
          periods[member].bookedBefore = expires
          periods[member].nextBookedFrom = expires - lead(charge, window)
          periods[member].nextAccessFrom = expires + (expires - charge.purchasedAt) / 2
        }
        if let next = members[position...].lazy.map({ charges[$0] }).first(where: { isNext($0, after: charge) }) {
          periods[member].bookedBefore = min(periods[member].bookedBefore, bookedFrom(next, after: charge, window))
        }
      }
    }
    return periods
  }
}
