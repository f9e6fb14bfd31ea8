/// Orders that name the first transaction of a subscription but were created for a later period. Many platforms book renewals so.
struct LaterPeriodOrders {
  private(set) var orders: Set<Int> = []

  /// A subscription as an order names it.
  private struct Key: Hashable {
    var transaction: ID
    var productKey: ProductKey

    func isSameApp(as charge: Charge) -> Bool {
      charge.productKey.app == productKey.app && charge.productKey.environment == productKey.environment
    }
  }

  /// - Parameter periodsByOriginal: charges of subscriptions by original transaction id, then by purchase instant.
  init(_ component: Component, _ chargesByTransaction: Grouping, _ periodsByOriginal: Grouping, _ settings: LadderSettings) {
    let charges = component.charges
    var starts: [Key: Microseconds] = [:]
    for (number, order) in component.orders.enumerated() {
      guard let transaction = order.transaction, order.lineItem == nil, order.original ?? transaction == transaction else { continue }
      let key = Key(transaction: transaction, productKey: order.productKey)
      if starts[key] == nil {
        let first = chargesByTransaction[transaction].filter { key.isSameApp(as: charges[$0]) }
        let periods = periodsByOriginal[transaction].filter { key.isSameApp(as: charges[$0]) }
        starts[key] = Self.start(key, charges, periods, first: Set(first), settings.window)
      }
      if let start = starts[key], order.createdAt >= start { orders.insert(number) }
    }
  }

  /// Returns the instant from which an order is for a later period: `.min` if the first one is unknown, `.max` if there is no later one.
  /// A transaction of another subscription names its own period, although its id is this subscription's original id.
  ///
  /// - Parameters:
  ///   - periods: charges with the original transaction id that the order names, by purchase instant.
  ///   - first: charges of the transaction itself.
  private static func start(
    _ key: Key, _ charges: [Charge], _ periods: [Int], first: Set<Int>, _ window: Microseconds
  ) -> Microseconds {
    guard !periods.isEmpty else { return .max }
    guard periods.contains(where: first.contains) else { return first.isEmpty ? .min : .max }
    let product = key.productKey.product
    let endOfFirst = periods.filter(first.contains).compactMap { charges[$0].expiresAt }.min() ?? .max
    let laterBookings = periods.indices.compactMap { position -> Microseconds? in
      let charge = charges[periods[position]]
      guard !first.contains(periods[position]), charge.mayHaveOrder(of: product) else { return nil }
      return Period.bookedFrom(charge, of: product, after: periods[..<position].lazy.map { charges[$0] }, window)
    }
    return min(endOfFirst, laterBookings.min() ?? .max)
  }
}
