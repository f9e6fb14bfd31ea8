/// The plan of answers to Apple's consumption requests: one world with a request per case.
@Suite(.cleansUp) struct ConsumptionPlanTests {
  private static let clock = "2026-05-12T12:00:00Z"
  private static let bought = "2026-05-10T10:00:00Z"

  struct Case: Sendable {
    var name: String
    /// Status, delivery, order's consent, used share; nil is no order.
    var order: String?
    /// User's consent; nil leaves the user out.
    var user: String?
    var asked: [String] = ["2026-05-12T10:00:00Z"]
    var reason = "UNINTENDED_PURCHASE"
    var isSubscription = false
    /// Whether Apple states the type of the product.
    var hasType = true
    /// Hours left, action, beginning of the reason, consent, delivery, share, sample, preference; nil is no row.
    var plan: String?
  }

  private static let cases = [
    Case(name: "half used", order: "delivered,,true,50000", plan: "10 send - true DELIVERED 50000 true DECLINE"),
    Case(name: "not used", order: "delivered,,true,0", plan: "10 send - true DELIVERED 0 true GRANT_FULL"),
    Case(name: "not delivered", order: "paid,,true,70000", plan: "10 send - true UNDELIVERED_OTHER 0 true GRANT_FULL"),
    Case(name: "refunded by us after delivery", order: "refunded,\(bought),true,1000", plan: "10 send - true DELIVERED 1000 true -"),
    Case(name: "usage unknown", order: "delivered,,true,", plan: "10 send - true DELIVERED - true -"),
    Case(name: "consent of the user", order: "delivered,,,60000", user: "true", plan: "10 send - true DELIVERED 60000 true DECLINE"),
    Case(
      name: "the order refuses", order: "delivered,,false,0", user: "true",
      plan: "10 nothing consent_refused false DELIVERED 0 true GRANT_FULL"),
    Case(
      name: "the user withdrew", order: "delivered,,true,0", user: "false",
      plan: "10 nothing consent_refused false DELIVERED 0 true GRANT_FULL"),
    Case(name: "nobody agreed", order: "delivered,,,0", user: "", plan: "10 nothing no_consent false DELIVERED 0 true GRANT_FULL"),
    Case(name: "no order", plan: "10 nothing no_order - - - - -"),
    Case(
      name: "a subscription states no share", order: "delivered,,true,50000", isSubscription: true,
      plan: "10 send - true DELIVERED - false DECLINE"),
    Case(name: "prorated", order: "delivered,,true,25000", reason: "LEGAL", plan: "10 send - true DELIVERED 25000 true GRANT_PRORATED"),
    Case(
      name: "prorated needs a share", order: "delivered,,true,", reason: "LEGAL", plan: "10 send - true DELIVERED - true -"),
    Case(
      name: "a product of an unknown type states no share", order: "delivered,,true,25000", reason: "LEGAL", hasType: false,
      plan: "10 send - true DELIVERED - true -"),
    Case(name: "the time is over", order: "delivered,,true,0", asked: ["2026-05-12T00:00:00Z"]),
    Case(
      name: "four minutes left", order: "delivered,,true,0", asked: ["2026-05-12T00:04:00Z"],
      plan: "0 nothing expired true DELIVERED 0 true GRANT_FULL"),
    Case(
      name: "asked twice", order: "delivered,,true,0", asked: ["2026-05-12T01:00:00Z", "2026-05-12T11:00:00Z"],
      plan: "11 send - true DELIVERED 0 true GRANT_FULL"),
  ]

  private static func settings() -> ConsumptionSettings {
    var settings = ConsumptionSettings()
    settings.isSending = true
    settings.sampleProducts = ["coins60"]
    var undelivered = RefundPreferenceRule(.grantFull)
    undelivered.isDelivered = false
    var legal = RefundPreferenceRule(.grantProrated)
    legal.reasons = ["LEGAL"]
    var unused = RefundPreferenceRule(.grantFull)
    unused.reasons = ["UNINTENDED_PURCHASE"]
    unused.usedPercentTo = 0
    var used = RefundPreferenceRule(.decline)
    used.usedPercentFrom = 50
    settings.preferences = [undelivered, legal, unused, used]
    return settings
  }

  private static func world() async throws -> Scenario {
    var scenario = try await Scenario()
    scenario.settings.consumption = settings()
    var api = APISettings()
    api.keyFile = "key.p8"
    scenario.settings.apps[0].api = api
    var orders =
      "order_id,bundle_id,product_id,user_id,created_at,transaction_id,status,delivered_at,consumption_consent,"
      + "consumption_millipercent\n"
    var users = "user_id,consumption_consent\n"
    var evidence: [String] = []
    for (place, test) in cases.enumerated() {
      let product = test.isSubscription ? "vip.month" : "coins60"
      let named = "O\(place),com.acme.reader,\(product),U\(place),2026-05-10T09:59:00Z,\(700 + place)"
      if let order = test.order { orders += "\(named),\(order)\n" }
      if let user = test.user { users += "U\(place),\(user)\n" }
      let id = "\(700 + place)"
      let purchase =
        test.isSubscription
        ? ApplePurchase.month(id, original: id, lineItem: "9\(id)", at: bought, until: "2026-06-10T10:00:00Z")
        : ApplePurchase(id, at: bought, type: test.hasType ? "Consumable" : "Voucher")
      evidence += test.asked.map {
        Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-\(place)-\($0)", purchase, reason: test.reason, signedAt: $0)
      }
    }
    // Apple has decided about this one.
    let declined = ApplePurchase("699", at: bought)
    evidence += [
      Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-x", declined, signedAt: "2026-05-12T08:00:00Z"),
      Scenario.notification("REFUND_DECLINED", uuid: "n-y", declined, signedAt: "2026-05-12T09:00:00Z"),
    ]
    #expect(try await scenario.ingest(.orders, orders, asOf: clock).parked == 0)
    #expect(try await scenario.ingest(.users, users, name: "users", asOf: clock).parked == 0)
    try await scenario.decide(evidence: evidence, asOf: clock)
    return scenario
  }

  /// Returns the plan's rows by transaction, as the cases write them.
  private static func plan(_ scenario: Scenario, asOf: String = clock) async throws -> [String: String] {
    let bytes = try await ConsumptionPlanJob(context: try scenario.context(asOf: asOf)).run(.ndjson)
    let rows = try Scenario.rows(bytes)
    let columns = [
      "hours_left", "action", "reason", "customer_consented", "delivery_status", "consumption_percentage", "sample_content_provided",
      "refund_preference",
    ]
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let cells = columns.map { column in
          let text = String((row[column] ?? "").prefix { $0 != ":" })
          return text.isEmpty ? "-" : text
        }
        return (row["transaction_id"] ?? "", cells.joined(separator: " "))
      })
  }

  @Test func everyRequestHasItsAnswerOrReason() async throws {
    var scenario = try await Self.world()
    let rows = try await Self.plan(scenario)
    for (place, test) in Self.cases.enumerated() { #expect(rows["\(700 + place)"] == test.plan, "\(test.name)") }
    #expect(rows.count == Self.cases.count { $0.plan != nil })
    // At an earlier clock, before anything was known.
    #expect(try await Self.plan(scenario, asOf: "2026-05-12T11:59:00Z").isEmpty)
    scenario.settings.consumption.isSending = false
    #expect(try await Self.plan(scenario)["700"] == "10 nothing switched_off true DELIVERED 50000 true DECLINE")
    scenario.settings.apps[0].api = nil
    #expect(try await Self.plan(scenario)["700"] == "10 nothing no_key true DELIVERED 50000 true DECLINE")
  }
}
