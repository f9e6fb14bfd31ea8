/// The statement that counts when several sources describe a purchase, by source and field.
///
/// All cases are ingested together, once in Apple's order and once in the opposite order. `Tests/oracle2/cases.py` has further ones,
/// and `RestatedFactTests` those of line items.
@Suite(.cleansUp) struct StatementPrecedenceTests {
  struct Case: NamedCase {
    var name = ""
    var id: String
    var said: [Statement]
    var state: String
    /// Refunded amount; nil where Apple stated no price.
    var refunded: Int64? = 0
    var columns: [String: String] = [:]
  }

  /// A statement: its content, its kind of text, and its instant.
  enum Statement: Sendable {
    case signed(ApplePurchase, String)
    /// A notification, with the signing instant of the enclosed transaction.
    case notified(String, ApplePurchase, String, inner: String)
    case receipt([ApplePurchase], String)
    case answer([ApplePurchase], String)
  }

  private static func lifetime(_ id: String) -> ApplePurchase {
    ApplePurchase(id, at: "2026-05-01T10:00:00Z", product: "lifetime", type: "Non-Consumable", price: 198_000)
  }
  private static func coins(_ id: String) -> ApplePurchase { ApplePurchase(id, at: "2026-05-01T10:00:00Z") }
  private static func month(_ id: String) -> ApplePurchase {
    .month(id, at: "2026-05-01T10:00:00Z", until: "2026-06-01T10:00:00Z")
  }
  private static func refunded(_ purchase: ApplePurchase, _ percentage: Int? = nil) -> ApplePurchase {
    purchase.with { ($0.revokedAt, $0.revocationPercentage) = (instant("2026-05-03T08:00:00Z"), percentage) }
  }

  private static let day2 = "2026-05-02T09:00:00Z"
  private static let day3 = "2026-05-03T09:00:00Z"
  private static let day4 = "2026-05-04T09:00:00Z"
  private static let day5 = "2026-05-05T09:00:00Z"

  static let cases = Case.table([
    "a consumable's refund, then an answer that still lists it": Case(
      id: "102", said: [.signed(refunded(coins("102")), day3), .answer([coins("102")], day4)], state: "refunded", refunded: 6000),
    "a refund, then a signed transaction without it": Case(
      id: "103", said: [.notified("REFUND", refunded(coins("103")), day3, inner: day3), .signed(coins("103"), day4)], state: "charged"),
    "a refund, then its reversal around a transaction signed before": Case(
      id: "105", said: [.signed(refunded(coins("105")), day3), .notified("REFUND_REVERSED", coins("105"), day4, inner: day2)],
      state: "charged"),
    "a refund, then another notification around a transaction signed before": Case(
      id: "106", said: [.signed(refunded(coins("106")), day3), .notified("CONSUMPTION_REQUEST", coins("106"), day4, inner: day2)],
      state: "refunded", refunded: 6000),
    "a receipt's cancellation, then a signed transaction without one": Case(
      id: "107", said: [.receipt([refunded(lifetime("107"))], day3), .signed(lifetime("107"), day4)], state: "charged"),
    "a signed transaction, then a receipt's cancellation": Case(
      id: "108", said: [.signed(lifetime("108"), day3), .receipt([refunded(lifetime("108"))], day4)], state: "refunded", refunded: 198_000,
      columns: ["currency": "CNY", "storefront": "CHN"]),
    "an answer's cancellation, then a receipt without one": Case(
      id: "109", said: [.signed(lifetime("109"), day2), .answer([refunded(lifetime("109"))], day3), .receipt([lifetime("109")], day4)],
      state: "refunded", refunded: 198_000),
    "an answer's cancellation, then an answer without one": Case(
      id: "110", said: [.answer([lifetime("110")], day2), .answer([refunded(lifetime("110"))], day3), .answer([lifetime("110")], day4)],
      state: "refunded", refunded: nil),
    "a third is refunded, then an answer states the cancellation without its share": Case(
      id: "111", said: [.signed(refunded(lifetime("111"), 33_333), day3), .answer([refunded(lifetime("111"))], day4)],
      state: "partly_refunded", refunded: 66_000),
    "a third is refunded, then all of it": Case(
      id: "112", said: [.signed(refunded(lifetime("112"), 33_333), day3), .signed(refunded(lifetime("112"), 100_000), day4)],
      state: "refunded", refunded: 198_000),
    "a third is refunded, then on another day the purchase, without a share": Case(
      id: "123",
      said: [
        .signed(refunded(lifetime("123"), 33_333), day3), .signed(refunded(lifetime("123")).with { $0.revokedAt = instant(day4) }, day5),
      ], state: "refunded", refunded: 198_000),
    "a third is refunded, stated again without its share": Case(
      id: "124", said: [.signed(refunded(lifetime("124"), 33_333), day3), .signed(refunded(lifetime("124")), day4)],
      state: "partly_refunded", refunded: 66_000),
    "a third is refunded, the refund is reversed, then refunded without a share": Case(
      id: "113",
      said: [.signed(refunded(lifetime("113"), 33_333), day3), .signed(lifetime("113"), day4), .signed(refunded(lifetime("113")), day5)],
      state: "refunded", refunded: 198_000),
    "refunded and not refunded in the same millisecond": Case(
      id: "114", said: [.signed(refunded(coins("114")), day3), .signed(coins("114"), day3)], state: "refunded", refunded: 6000),
    "token, price and quantity of a signed transaction, then a receipt without them": Case(
      id: "115",
      said: [
        .signed(coins("115").with { ($0.token, $0.quantity, $0.priceMilliunits) = (Scenario.token1, 3, 18_000) }, day3),
        .receipt([coins("115").with { $0.quantity = 3 }], day4),
      ], state: "charged", columns: ["app_account_token": Scenario.token1, "quantity": "3", "price_milliunits": "18000"]),
    "an upgrade, then a receipt with the upgrade's instant as cancellation": Case(
      id: "116", said: [.signed(month("116").with { $0.isUpgraded = true }, day3), .receipt([refunded(month("116"))], day4)],
      state: "charged"),
    "a receipt whose cancellation is the instant at which another product of the subscription began": Case(
      id: "117",
      said: [
        .receipt(
          [
            refunded(month("117")),
            ApplePurchase.month(
              "1171", original: "117", at: "2026-05-03T08:00:00Z", until: "2026-06-03T08:00:00Z"
            ).with { $0.productID = "svip.month" },
          ], day4)
      ], state: "charged"),
    "family access, then a receipt that knows nothing of it": Case(
      id: "122", said: [.signed(lifetime("122").with { $0.ownership = "FAMILY_SHARED" }, day3), .receipt([lifetime("122")], day4)],
      state: "family", columns: ["ownership": "FAMILY_SHARED"]),
  ])

  private func ingest(_ statement: Statement, _ scenario: Scenario, asOf: String) async throws {
    switch statement {
    case .signed(let purchase, let at):
      try await scenario.evidence([purchase.signed(at: at).jws], asOf: asOf)
    case .notified(let type, let purchase, let at, let inner):
      let id = "n-\(purchase.transactionID)-\(at)"
      try await scenario.evidence([Scenario.notification(type, uuid: id, purchase.signed(at: inner), signedAt: at)], asOf: asOf)
    case .receipt(let purchases, let at): try await scenario.evidence([Scenario.receipt(purchases, createdAt: at)], asOf: asOf)
    case .answer(let purchases, let at): try await scenario.fromApple([Scenario.answer(purchases, at: at)], asOf: asOf)
    }
  }

  private static let lists: [ExportList] = [.charges, .transactions, .subscriptions]

  private func judge(isReversed: Bool) async throws -> [String] {
    let scenario = try await Scenario()
    let asOf = "2026-05-06T12:00:00Z"
    let said = Self.cases.flatMap(\.said)
    for statement in isReversed ? said.reversed() : said { try await ingest(statement, scenario, asOf: asOf) }
    let charges = try await scenario.rows(.charges, asOf: asOf)
    for test in Self.cases {
      let found = charges.filter { ($0["transaction_ids"] ?? "").split(separator: " ").contains { $0 == test.id } }
      #expect(found.count == 1, "\(test.name), reversed: \(isReversed)")
      guard let charge = found.first else { continue }
      #expect(charge["state"] == test.state, "\(test.name), reversed: \(isReversed)")
      #expect(charge["refunded_milliunits"] == test.refunded.map { "\($0)" } ?? "", "\(test.name), reversed: \(isReversed)")
      for (column, value) in test.columns { #expect(charge[column] == value, "\(test.name), \(column), reversed: \(isReversed)") }
    }
    var lists: [String] = []
    for list in Self.lists { lists.append(String(decoding: try await scenario.export(list, asOf: asOf), as: UTF8.self)) }
    // The order of arrival affects only the evidence's dates and sources, which are not compared.
    let evidence = try await scenario.cells(.evidence, "sha256 kind verdict charge_id parent_sha256 signed_at", asOf: asOf)
    lists.append(evidence.sorted().joined(separator: "\n"))
    return lists
  }

  @Test func stateIsAFunctionOfTheSet() async throws {
    let forwards = try await judge(isReversed: false)
    let backwards = try await judge(isReversed: true)
    #expect(forwards == backwards)
  }
}
