extension StoreState {
  /// Instant of the next delivery attempt; nil when none is pending.
  var nextDeliveryAt: Moment? { deliveries.first?.at }

  /// Removes and returns the positions of every due notification.
  mutating func takeDueDeliveries() -> [Int] {
    var due: [Int] = []
    while let entry = deliveries.first, entry.at <= now, let taken = deliveries.removeFirst() {
      if let place = Int(taken.key), notifications[place].nextAttemptAt == taken.at { due.append(place) }
    }
    return due
  }

  /// Records the outcome of an attempt and schedules the next one as Apple would.
  ///
  /// - Source: App Store Server Notifications: after 1, 12, 24, 48 and 72 hours; once in the sandbox.
  mutating func record(_ result: String, of place: Int) {
    notifications[place].attempts.append(StoreNotification.Attempt(at: now, result: result))
    notifications[place].nextAttemptAt = nil
    let made = notifications[place].attempts.count
    guard result != "SUCCESS", environment == .production, made <= StoreNotification.retryHours.count else { return }
    let next = now + .hours(StoreNotification.retryHours[made - 1])
    notifications[place].nextAttemptAt = next
    deliveries.add(String(place), at: next)
  }

  /// Adds customers with purchases, so that tests can collect any amount of data.
  ///
  /// - Parameters:
  ///   - purchases: one-time purchases with one notification each; a tenth has a quantity above 1.
  ///   - spacing: time between two purchases.
  public mutating func populate(purchases: Int, customers count: Int, spacing: Moment.Span) throws {
    let products = app.products.filter { $0.kind == .consumable }
    guard !products.isEmpty, count > 0, purchases >= 0 else {
      throw StoreError("cannot populate the store: it needs a consumable, a customer and a count of 0 or more")
    }
    var names: [String] = []
    let stores = Storefront.all
    for place in 0..<count { names.append(try addCustomer(storefront: stores[place % stores.count].code)) }
    for place in 0..<purchases {
      let product = products[place / count % products.count]
      let terms = Terms(quantity: place % 10 == 9 ? 3 : 1, appAccountToken: place % 4 == 0 ? nil : identifiers.uuid())
      try buy(product.id, for: names[place % count], terms)
      advance(to: now + spacing)
    }
  }
}
