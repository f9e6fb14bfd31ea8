/// The generated world is the oracle: each planted difference is found by order and class, and no other.
@Suite(.serialized, .cleansUp) struct PlantedBreaksAreFoundTests {
  private static let orders = 12_000

  /// Classes whose subject is an order. Those of charges and chains are named by a transaction, the rest by evidence.
  private static let orderClasses: Set = [
    "ORDER_NO_TX", "PAID_NOT_DELIVERED", "AMOUNT_DIFF", "CURRENCY_DIFF", "PRODUCT_DIFF", "QUANTITY_DIFF", "USER_DIFF",
    "DUP_DELIVERY", "REPLAY_MULTI_USER", "SANDBOX_IN_PROD", "PROD_IN_SANDBOX", "LATE_VERIFICATION", "REFUND_NOT_APPLIED",
    "REFUND_ONLY_OURS", "REFUND_REVERSED_NOT_APPLIED", "ENTITLEMENT_OVERRUN", "ENTITLEMENT_SHORT",
  ]
  private static let evidenceClasses: Set = ["BUNDLE_DIFF", "APP_ID_DIFF", "FORGED_SIGNATURE", "UNRECOGNIZED_VALUE"]

  @Test func plantedDifferencesAreFound() async throws {
    let world = try await Worlds.shared.directory(orders: Self.orders)
    let setup = try await Setup(world: world)
    try await setup.nightly("\(world)/inbox", exits: 1)
    var charges: [String: String] = [:]
    for row in try await setup.rows("charges") {
      for id in (row["transaction_ids"] ?? "").split(separator: " ") { charges[String(id)] = row["charge_id"] }
    }
    try await Self.compareMatches(setup, world, charges)
    try await Self.compareDifferences(setup, world, list: "breaks", charges)
    try await Self.compareDifferences(setup, world, list: "pending", charges)
  }

  private static func compareMatches(_ setup: Setup, _ world: String, _ charges: [String: String]) async throws {
    let truth = Set(
      try CSVRows.decode(Setup.bytes("\(world)/truth/matches.csv")).map { row in
        "\(row["order_id"] ?? "") \(charges[row["transaction_id"] ?? ""] ?? "?") \(row["rung"] ?? "")"
      })
    let found = Set(try await setup.rows("matches").cells("order_id charge_id rung"))
    #expect(truth.count > orders / 2)
    expectSame(truth.sorted(), found.sorted(), "matches")
  }

  private static func compareDifferences(_ setup: Setup, _ world: String, list: String, _ charges: [String: String]) async throws {
    let truth = try CSVRows.decode(Setup.bytes("\(world)/truth/\(list).csv")).map { row in
      subject(row, charge: charges[row["transaction_id"] ?? ""])
    }
    let found = try await setup.rows(list).filter { $0["status"] != "resolved" }.map { row in
      subject(row, charge: row["charge_id"])
    }
    #expect(!truth.isEmpty)
    expectSame(truth.sorted(), found.sorted(), list)
  }

  /// Returns a difference as its class and its subject.
  private static func subject(_ row: [String: String], charge: String?) -> String {
    let name = row["class"] ?? ""
    let order = row["order_id"] ?? ""
    if orderClasses.contains(name) || evidenceClasses.contains(name) || (name == "RENEWAL_MISSING" && !order.isEmpty) {
      return "\(name) \(order)"
    }
    return "\(name) \(charge ?? "")"
  }

  /// Verifies that two sorted lists are equal.
  private static func expectSame(_ truth: [String], _ found: [String], _ what: String) {
    let changes = found.difference(from: truth)
    #expect(changes.removals.isEmpty, "\(what) planted and not found: \(changes.removals.prefix(10))")
    #expect(changes.insertions.isEmpty, "\(what) found and not planted: \(changes.insertions.prefix(10))")
  }
}
