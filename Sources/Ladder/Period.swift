/// The span of time in which a period's order is booked, and the instants from which an order is for the next period.
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

  /// Returns the earliest instant at which an order for a product may be booked for a charge. An order nearer to the purchase before is
  /// not for this charge.
  ///
  /// - Parameters:
  ///   - earlier: charges of the subscription, by purchase instant.
  ///   - window: longest time that an order is booked ahead. Half the period applies if it is shorter.
  static func bookedFrom(
    _ charge: Charge, of product: ID, after earlier: some BidirectionalCollection<Charge>, _ window: Microseconds
  ) -> Microseconds {
    let previous = earlier.last { $0.purchasedAt < charge.purchasedAt && $0.mayHaveOrder(of: product) }
    let ahead = previous.map { (charge.purchasedAt - $0.purchasedAt) / 2 } ?? .max
    return charge.purchasedAt - min(lead(charge, window), ahead)
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
        let (charge, product) = (charges[member], charges[member].productKey.product)
        let earlier = members[..<position].lazy.map { charges[$0] }
        periods[member].bookedFrom = bookedFrom(charge, of: product, after: earlier, window)
        if let expires = charge.expiresAt {
          periods[member].bookedBefore = expires
          periods[member].nextBookedFrom = expires - lead(charge, window)
          periods[member].nextAccessFrom = expires + (expires - charge.purchasedAt) / 2
        }
        let later = members[position...].lazy.map { charges[$0] }
        if let next = later.first(where: { $0.purchasedAt > charge.purchasedAt && $0.mayHaveOrder(of: product) }) {
          let end = bookedFrom(next, of: product, after: CollectionOfOne(charge), window)
          periods[member].bookedBefore = min(periods[member].bookedBefore, end)
        }
      }
    }
    return periods
  }
}
