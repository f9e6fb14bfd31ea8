extension StoreState {
  /// Removes and returns the positions of the notifications that await delivery.
  mutating func takeUndelivered() -> [Int] {
    defer { undelivered = [] }
    return undelivered
  }

  /// Records the outcome of a delivery. Apple's later attempts are not simulated: a lost notification stays lost.
  mutating func record(_ result: String, of place: Int) {
    notifications[place].attempt = StoreNotification.Attempt(at: now, result: result)
  }

  /// Adds customers with purchases, so that tests can collect any amount of data.
  ///
  /// - Parameters:
  ///   - purchases: one-time purchases with one notification each; a tenth has a quantity above 1.
  ///   - spacing: time between two purchases.
  public mutating func populate(purchases: Int, customers count: Int, spacing: Duration) throws {
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
