import FoundationEssentials

/// The same statements of mixed sources in any order, in any division into nights, with repeats, give the same lists. The lists of
/// a past night are unchanged.
@Suite(.cleansUp) struct StatementsInAnyOrderTests {
  private static let asOf = "2026-05-25T12:00:00Z"
  private static let lists: [ExportList] = [.charges, .transactions, .subscriptions]
  private static let tokens = (1...3).map { "a000000\($0)-0000-4000-8000-000000000000" }

  /// Evidence that Apple signs or answers. Repeats have the same bytes.
  private enum Item {
    case line(String)
    case answer(String)
  }

  private static func day(_ day: Int, _ hour: Int = 10) -> String {
    "2026-05-\(day < 10 ? "0" : "")\(day)T\(hour < 10 ? "0" : "")\(hour):00:00Z"
  }

  private static func purchase(_ number: Int, _ random: inout Dice) -> ApplePurchase {
    let id = "48000\(number < 10 ? "0" : "")\(number)"
    let at = Self.day(1 + random.below(5), number % 24)
    var purchase: ApplePurchase
    switch random.below(3) {
    case 0: purchase = ApplePurchase(id, at: at)
    case 1: purchase = ApplePurchase(id, at: at, product: "lifetime", type: "Non-Consumable", price: 198_000)
    default:
      // Few subscriptions, so that several purchases belong to one.
      purchase = .month(id, original: "48\(random.below(2))", lineItem: "7\(id)", at: at, until: Self.day(20 + random.below(8)))
      if random.chance(30) { purchase.productID = "svip.month" }
    }
    if random.chance(50) { purchase.token = tokens[random.below(tokens.count)] }
    return purchase
  }

  private static func version(_ purchase: ApplePurchase, _ day: Int, _ random: inout Dice) -> ApplePurchase {
    purchase.with {
      $0.signedAt = instant(Self.day(day))
      if random.chance(40) { $0.revokedAt = instant(Self.day(day, 9)) }
      if $0.revokedAt != nil, random.chance(40) { $0.revocationPercentage = [33_333, 50_000, 100_000][random.below(3)] }
      if $0.expiresAt != nil, random.chance(15) { $0.isUpgraded = true }
      if $0.expiresAt != nil, random.chance(20) { $0.webOrderLineItemID = nil }
      if random.chance(20) { $0.token = nil }
    }
  }

  private static func info(_ original: String, _ day: Int, _ random: inout Dice) -> String {
    let autoRenew = random.below(2)
    let renewalDate = random.chance(50) ? Self.day(22 + random.below(6)) : nil
    return Scenario.renewalInfo(original, autoRenew: autoRenew, signedAt: Self.day(day), renewalDate: renewalDate)
  }

  private static func pending(_ original: String, _ random: inout Dice) -> String {
    "{\"original_transaction_id\":\"\(original)\",\"product_id\":\"vip.month\",\"auto_renew_status\":\"\(random.below(2))\"}"
  }

  private static func items(_ random: inout Dice) -> [Item] {
    let purchases = (1...10).map { Self.purchase($0, &random) }
    var items: [Item] = []
    for number in 0..<40 {
      let day = 6 + random.below(14)
      let one = version(purchases[random.below(purchases.count)], day, &random)
      let several = random.shuffled(purchases).prefix(4).map { version($0, day, &random) }
      switch random.below(6) {
      case 0, 1: items.append(.line(one.jws))
      case 2:
        let type = one.revokedAt == nil ? ["REFUND_REVERSED", "ONE_TIME_CHARGE", "DID_RENEW"][random.below(3)] : "REFUND"
        let info = one.expiresAt == nil ? nil : Self.info(one.originalTransactionID, day, &random)
        // The transaction in a notification may have been signed days before it.
        let inner = one.with { $0.signedAt = instant(Self.day(max(1, day - random.below(3)))) }
        items.append(
          .line(Scenario.notification(type, uuid: "n-\(number)", inner, renewalInfo: info, signedAt: Self.day(day, 11))))
        if type == "REFUND_REVERSED" { items.append(.line(inner.jws)) }
      case 3: items.append(.line(Scenario.receipt(several, createdAt: Self.day(day, 12))))
      case 4:
        let pending = several.filter { $0.expiresAt != nil }.map { Self.pending($0.originalTransactionID, &random) }
        items.append(.answer(Scenario.answer(several, at: Self.day(day, 13), pending: pending)))
      default:
        let upload = Scenario.upload(
          one.jws, user: "U\(1 + random.below(3))", order: random.chance(40) ? "O\(1 + random.below(6))" : nil,
          at: Self.day(day, 14))
        items.append(.line(upload))
      }
    }
    // A transaction receipt in the style of iOS 6, which proves nothing by itself.
    let inner = Data("{\n\"transaction-id\" = \"4800001\";\n\"bid\" = \"com.acme.reader\";\n}".utf8).base64EncodedString()
    items.append(.line(Data("{\n\"purchase-info\" = \"\(inner)\";\n}".utf8).base64EncodedString()))
    return items
  }

  private static func orders() -> [TestOrder] {
    (1...6).map { number in
      TestOrder("O\(number)", user: "U\(1 + number % 3)", at: day(1 + number % 5, 8)) {
        $0.productID = ["coins60", "lifetime", "vip.month"][number % 3]
        $0.priceMilliunits = nil
        $0.currency = nil
        if number.isMultiple(of: 2) { $0.transactionID = "480000\(number)" }
        if $0.productID == "vip.month" { $0.entitlementExpiresAt = day(21 + number) }
      }
    }
  }

  private func read(_ scenario: Scenario, asOf: String) async throws -> [String] {
    var texts: [String] = []
    for list in Self.lists { texts.append(String(decoding: try await scenario.export(list, asOf: asOf), as: UTF8.self)) }
    // Only the instant of knowledge depends on the nights.
    let breaks = try await scenario.rows(.breaks, asOf: asOf).filter { $0["status"] != "resolved" }.cells(
      "break_id class order_id charge_id transaction_id user_id amount_milliunits detail")
    let matches = try await scenario.cells(.matches, "order_id charge_id rung transaction_id user_id", asOf: asOf)
    return texts + [breaks.sorted().joined(separator: "\n"), matches.sorted().joined(separator: "\n")]
  }

  private func ingest(_ items: [Item], _ scenario: Scenario, asOf: String) async throws {
    let lines = items.compactMap { if case .line(let line) = $0 { line } else { nil } }
    let answers = items.compactMap { if case .answer(let text) = $0 { text } else { nil } }
    if !lines.isEmpty { try await scenario.evidence(lines, asOf: asOf) }
    if !answers.isEmpty { try await scenario.fromApple(answers, asOf: asOf) }
  }

  private func prepare() async throws -> Scenario {
    let scenario = try await Scenario()
    try await scenario.users((1...3).map { "U\($0),\(Self.tokens[$0 - 1]),CHN,false" }, asOf: Self.day(20))
    try await scenario.orders(Self.orders(), asOf: Self.day(20))
    return scenario
  }

  @Test(arguments: [UInt64(11), 12, 13, 14, 15, 16]) func anyOrderAnyNights(seed: UInt64) async throws {
    var random = Dice(seed: seed)
    let items = Self.items(&random)
    let plain = try await prepare()
    try await ingest(items, plain, asOf: Self.asOf)
    try await plain.decide(asOf: Self.asOf)
    let expected = try await read(plain, asOf: Self.asOf)
    let scenario = try await prepare()
    let repeated = random.shuffled(items + items.filter { _ in random.chance(20) })
    let count = 2 + random.below(3)
    var pasts: [Past] = []
    for night in 0..<count {
      let clock = Self.day(20 + night)
      let part = repeated.enumerated().filter { $0.offset % count == night }.map(\.element)
      try await ingest(part, scenario, asOf: clock)
      if random.chance(60) { try await scenario.decide(asOf: clock) }
      pasts.append(try await Past(scenario, clock: clock, lists: Self.lists, kinds: []))
    }
    try await scenario.decide(asOf: Self.asOf)
    let found = try await read(scenario, asOf: Self.asOf)
    for (index, text) in found.enumerated() { #expect(text == expected[index], "seed \(seed), list \(index)") }
    for past in pasts { #expect(try await past.differences(scenario) == [], "seed \(seed)") }
    #expect(try await scenario.changesOfFullRuns(asOf: Self.asOf) == [], "seed \(seed)")
  }

  /// Returns a signed transaction with random members. Few ids, so that statements meet in one charge or subscription.
  private static func transaction(_ random: inout Dice) -> String {
    func sometimes(_ percent: Int, _ member: String) -> [String] { random.chance(percent) ? [member] : [] }
    let (chain, id) = (random.below(60), random.below(300))
    let bought = 1_778_320_800_000 + 86_400_000 * random.below(3)
    let type = random.pick(["Consumable", "Non-Consumable", "Non-Renewing Subscription", "Auto-Renewable Subscription"])
    var members = [
      #""transactionId":"\#(random.chance(60) ? 1000 + chain : 2000 + id)""#, #""originalTransactionId":"\#(1000 + chain)""#,
      #""bundleId":"com.acme.reader""#, #""environment":"\#(random.chance(90) ? "Production" : "Sandbox")""#,
      #""productId":"product\#(chain % 3)""#, #""purchaseDate":\#(bought)"#, #""signedDate":\#(bought + random.below(100_000))"#,
    ]
    members += sometimes(80, #""type":"\#(type)""#) + sometimes(50, #""webOrderLineItemId":"\#(3000 + id)""#)
    members += sometimes(50, #""expiresDate":\#(bought + 2_592_000_000)"#) + sometimes(50, #""originalPurchaseDate":\#(bought - 5000)"#)
    members += sometimes(60, #""price":\#(random.pick([0, 9990, 68_000]))"#) + sometimes(60, #""currency":"CNY""#)
    members += sometimes(60, #""storefront":"CHN""#) + sometimes(30, #""quantity":\#(random.number(1...3))"#)
    members += sometimes(60, #""inAppOwnershipType":"\#(random.pick(["PURCHASED", "FAMILY_SHARED"]))""#)
    members += sometimes(40, #""transactionReason":"\#(random.pick(["PURCHASE", "RENEWAL"]))""#)
    members += sometimes(30, #""offerType":\#(random.number(1...4))"#) + sometimes(30, #""offerDiscountType":"FREE_TRIAL""#)
    members += sometimes(20, #""isUpgraded":true"#) + sometimes(30, #""subscriptionGroupIdentifier":"group""#)
    members += sometimes(30, #""appAccountToken":"a1000000-0000-4000-8000-00000000000\#(random.below(9))""#)
    members += sometimes(8, #""revocationDate":\#(bought + 50_000)"#)
    return Scenario.sign("{\(members.joined(separator: ","))}")
  }

  /// Charges that one statement makes known are written without gathering; a rebuild from all statements gives the same rows.
  @Test(arguments: 1...3) func chargesAreAsGathered(seed: UInt64) async throws {
    var random = Dice(seed: seed)
    let scenario = try await Scenario()
    for _ in 0..<4 {
      let texts = (0..<100).map { _ in Self.transaction(&random) }
      #expect(try await scenario.evidence(texts, asOf: "2026-05-12T12:00:00Z").parked == 0, "seed \(seed)")
    }
    let differing = try await scenario.answers(
      """
      with gathered as materialized (select * from payrecon.charges_of('infinity', null, null))
      select charge_id
      from ((table payrecon.charges except table gathered) union all (table gathered except table payrecon.charges)) as differing
      """)
    #expect(differing == [], "seed \(seed)")
    #expect(try await scenario.answers("select 'many' from payrecon.charges having count(*) > 150") == ["many"])
  }
}
