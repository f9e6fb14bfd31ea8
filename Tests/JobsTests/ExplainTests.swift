import FoundationEssentials

/// The output of `match --explain` and `detect --explain`, for every rung and for breaks.
@Suite(.cleansUp) struct ExplainTests {
  struct Case: NamedCase {
    var name = ""
    var orders: [TestOrder]
    var users: [String]
    var evidence: [String]
    /// The id to explain; `break CLASS` names the break of that class.
    var id: String
    /// Evidence of a second night, two days later.
    var later: [String]
    /// The expected lines, with shortened hashes and run ids.
    var lines: [String]

    init(
      orders: [TestOrder] = [], users: [String] = [], evidence: [String] = [], id: String = "PO-1", later: [String] = [], _ lines: String...
    ) {
      (self.orders, self.users, self.evidence, self.id, self.later, self.lines) = (orders, users, evidence, id, later, lines)
    }
  }
  private let scenario: Scenario
  init() async throws { scenario = try await Scenario() }

  static let asOf = "2026-05-12T12:00:00Z"
  static let later = "2026-05-14T12:00:00Z"
  static let (tokenA1, tokenA2) = (Scenario.token1, Scenario.token2)
  static let userOne = ["U1,\(tokenA1),CHN,false"]

  /// A purchase, the same one with the token of U1, and U1's order that names its transaction.
  static let bought = ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z")
  static let tokened = bought.with { $0.token = tokenA1 }.jws
  static let named = order { $0.transactionID = "470001000000001" }

  static func order(
    _ id: String = "PO-1", user: String = "U1", at: String = "2026-05-10T10:00:00Z", _ change: (inout TestOrder) -> Void = { _ in }
  ) -> TestOrder {
    TestOrder(id, user: user, at: at, change)
  }

  // MARK: Lines that most explanations share

  private static let prices = ["vip.month": "25.00 CNY"]

  static func placed(
    _ id: String, _ status: String = "delivered", user: String = "U1", at: String = "2026-05-10T10:00:00Z", product: String = "coins60",
    price: String? = nil, names: String = "no transaction, line item, token or evidence"
  ) -> String {
    let price = price ?? prices[product, default: "6.00 CNY"]
    let steps = ["created": ["created"], "paid": ["created", "paid"]][status] ?? ["created", "paid", "delivered"]
    return
      (["order \(id): \(status), user \(user), \(product) x 1, \(price), Production, app com.acme.reader"]
      + steps.map { "  \(at)  order \($0)" } + ["  names: \(names)"]).joined(separator: "\n")
  }

  static func charged(
    _ id: String, original: String? = nil, at: String = "2026-05-10T10:00:20Z", until: String? = nil, product: String = "coins60",
    token: String? = nil, received: String? = nil, uploader: String? = nil, matched: String? = nil
  ) -> String {
    let lineItem = product == "vip.month" ? "line item 9\(id), " : ""
    let received = received ?? (uploader == nil ? asOf : "2026-05-10T10:00:30Z")
    let lines = [
      "charge <id>: charged, \(product) x 1, \(prices[product, default: "6.00 CNY"]), Production, app com.acme.reader",
      "  transactions \(id), original \(original ?? id), \(lineItem)\(token.map { "token \($0)" } ?? "no token")",
      "  \(at)  purchased", until.map { "  \($0)  expires" },
      "  evidence <sha256>: transaction \(id), signed \(at), from \(uploader == nil ? "import" : "client"), received \(received)",
      uploader.map { "  handed over \(received) by client, \($0)" },
      matched.map { "  matched by \($0), decided \(asOf) in run match" },
    ]
    return lines.compactMap { $0 }.joined(separator: "\n")
  }

  static func unmatched(
    m1: String = "the order names no transaction", m2: String = "neither the order nor its user carries a token",
    m3: String = "the order names no line item and no original transaction", user: String = "U1"
  ) -> String {
    """
      no match
        not M1: \(m1)
        not M2: \(m2)
        not M3: \(m3)
        not M4: no renewal of that product was to be booked for user \(user) when the order was created
        not M5: the order carries no evidence hash, and no upload names the order
        not M6: no open charge of user \(user) fits in product, quantity and time
    """
  }

  static func unclaimed(
    m1: String = "no order names its transaction", m2: String = "the charge carries no token",
    m3: String = "no order names its line item or original transaction", m4: String = "the charge is not a renewal",
    m5: String = "no order carries the hash of its evidence, and no upload names an order that can have it",
    m6: String = "nobody uploaded its evidence"
  ) -> String {
    """
      no order
        not M1: \(m1)
        not M2: \(m2)
        not M3: \(m3)
        not M4: \(m4)
        not M5: \(m5)
        not M6: \(m6)
    """
  }

  static func lost(_ product: String = "coins60", _ price: String = "6.00", since: String = "2026-05-11T10:00:20Z") -> String {
    """
    break <id>: TX_NO_ORDER (high) open as of \(asOf) in run detect: Apple charged \(product) and no order knows
      about charge <id>, at risk \(price) CNY, open since \(since), for support: the customer paid and no order knows: find the user, create the order, deliver
    """
  }

  /// Fields of an order and a charge that agree. Their prices may differ.
  static func compared(_ span: String, product: String = "coins60", user: String, price: String? = nil) -> String {
    let price = price ?? "\(prices[product, default: "6.00 CNY"]) on both sides"
    return [
      "time: purchased \(span) after the order was created", "product: \(product) on both sides", "user: \(user)",
      "quantity: 1 on both sides", "price: \(price)", "storefront: the order states none",
    ].map { "    compared \($0)" }.joined(separator: "\n")
  }

  /// The rungs by keys, for an order and a charge that name nothing.
  static let noKeyFits = unfit(before: 6).joined(separator: "\n")

  private static func unfit(before rung: Int, m2: String = "the charge carries no token") -> [String] {
    [
      "the order names no transaction", m2, "the order names no line item and no original transaction", "the charge is not a renewal",
      "the order carries no evidence hash, and no upload names the order",
    ].prefix(rung - 1).enumerated().map { "    not M\($0 + 1): \($1)" }
  }

  /// An order with a match of a rung. No key of a higher rung fits.
  static func matched(_ rung: Int, _ reason: String, m2: String = "the charge carries no token", at clock: String = asOf) -> String {
    let confidence = rung < 3 ? "exact" : rung < 6 ? "derived" : "heuristic"
    let head = "  matched by M\(rung) with charge <id>, confidence \(confidence), decided \(clock) in run match"
    return ([head] + unfit(before: rung, m2: m2) + ["    M\(rung): \(reason)"]).joined(separator: "\n")
  }

  /// An order whose claim of a rung is refused. No key of a higher rung fits.
  static func refused(_ name: String, on rung: Int = 1, heldBy holder: String? = nil, _ reason: String) -> String {
    let head = "  no match: \(name) on rung M\(rung), charge <id>" + (holder.map { ", held by order \($0)" } ?? "")
    return ([head] + unfit(before: rung) + ["    not M\(rung): \(reason)"]).joined(separator: "\n")
  }

  @Test(arguments: rungs + differences) func explains(_ test: Case) async throws {
    try await scenario.decide(users: test.users, orders: test.orders, evidence: test.evidence, asOf: Self.asOf)
    let clock = test.later.isEmpty ? Self.asOf : Self.later
    if !test.later.isEmpty { try await scenario.decide(evidence: test.later, asOf: clock) }
    var id = test.id
    if id.hasPrefix("break ") {
      let found = try await scenario.rows(.breaks, asOf: clock).first { $0["class"] == String(id.dropFirst(6)) }
      id = try #require(found?["break_id"])
    }
    let explanation = try await ExplainJob(context: scenario.context(asOf: clock)).explanations(of: [id], hasFacts: false)[0].text
    let found = Self.short(explanation.english)
    #expect(found == test.lines.joined(separator: "\n"), "\n\(found)")
    // Every text has its values in every language.
    #expect(Language.allCases.filter { Catalogue.of($0)(explanation).contains(/explain\.|\{/) } == [])
  }

  /// The explanation evaluates current facts, including those after the last match run, with or without stored links.
  @Test(arguments: [1, 2]) func explanationPredictsTheNextRun(matchRuns: Int) async throws {
    let purchase = ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z", token: Self.tokenA1)
    try await scenario.users(["U1,\(Self.tokenA1),CHN,false"], asOf: Self.asOf)
    try await scenario.orders([TestOrder("PO-1", at: "2026-05-10T10:00:00Z")], asOf: Self.asOf)
    try await scenario.evidence([purchase.jws], asOf: Self.asOf)
    for _ in 0..<matchRuns { try await scenario.decide(asOf: Self.asOf) }
    let job = ExplainJob(context: try scenario.context(asOf: Self.later))
    #expect(try await !job.explain("PO-1").contains("otherwise"))
    // Another order of the user and its purchase: neither names the other, and the token alone is no longer sufficient.
    try await scenario.orders([TestOrder("PO-2", at: "2026-05-10T10:00:10Z")], asOf: Self.later)
    let explanation = try await job.explain("PO-1")
    #expect(explanation.contains("the next match run decides otherwise: no longer matched by M2, order PO-1"), "\(explanation)")
    #expect(
      explanation.contains("  until then this stands, with what the rungs say of it now:\n  matched by M2 with charge"), "\(explanation)")
    #expect(explanation.contains("    M2, as decided then; now: several open orders carry the charge's token"), "\(explanation)")
    let new = try await job.explain("PO-2")
    #expect(new.contains("not decided yet: match has not run on these facts and settings; its next run decides: "), "\(new)")
    #expect(!new.contains("otherwise") && !new.contains("  no match\n"), "\(new)")
    let before = try await ExplainJob(context: scenario.context(asOf: Self.asOf)).explain("PO-1")
    #expect(!before.contains("otherwise") && before.contains("    M2: the user's token"), "\(before)")
    try await scenario.decide(asOf: Self.later)
    #expect(try await !job.explain("PO-1").contains("otherwise"))
  }

  @Test func `a posted text is known, even if its notification contains no purchase`() async throws {
    let test = Scenario.sign(
      """
      {"notificationType":"TEST","notificationUUID":"n-1","version":"2.0","signedDate":1778407220000,\
      "data":{"bundleId":"com.acme.reader","appAppleId":1500000001,"environment":"Production"}}
      """)
    let text = "{\"signedPayload\":\"\(test)\"}"
    let named = SHA256.hex(Array(text.utf8))
    try await scenario.decide(
      orders: [TestOrder("PO-1", at: "2026-05-10T10:00:00Z") { $0.evidenceSHA256 = named }], evidence: [text], asOf: Self.asOf)
    let explanation = try await ExplainJob(context: scenario.context(asOf: Self.asOf)).explain("PO-1")
    #expect(explanation.contains("not M5: evidence \(named) states no charge that is the order's"), "\(explanation)")
  }

  @Test func `facts after the last match run are explained as the next run decides them, on both sides and for every rung`() async throws {
    try await scenario.users(["U1,\(Self.tokenA1),CHN,false"], asOf: Self.asOf)
    try await scenario.orders([TestOrder("PO-1", at: "2026-05-10T10:00:00Z")], asOf: Self.asOf)
    let job = ExplainJob(context: try scenario.context(asOf: Self.asOf))
    #expect(try await job.explain("PO-1").contains("  no match\n    not M1: the order names no transaction\n"))
    let purchase = ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z", token: Self.tokenA1)
    try await scenario.evidence([purchase.jws], asOf: Self.asOf)
    let anew = "  not decided yet: match has not run on these facts and settings; its next run decides: matched by M2 with"
    let order = Self.short(try await job.explain("PO-1"))
    #expect(
      order.contains(
        """
        \(anew) charge <id>, confidence exact
            not M1: the order names no transaction
            M2: the user's token is the charge's, no other open order from before the purchase carries it
        """), "\(order)")
    let charge = Self.short(try await job.explain("470001000000001"))
    #expect(charge.contains("\(anew) order PO-1"), "\(charge)")
    for explanation in [order, charge] { #expect(!explanation.contains("  no ") && !explanation.contains("otherwise"), "\(explanation)") }
    try await scenario.decide(asOf: Self.asOf)
    #expect(try await job.explain("PO-1").contains("  matched by M2 with charge"))
  }

  /// Shortens hashes and run ids, which depend on irrelevant bytes.
  private static func short(_ text: String) -> String {
    text.replacing(#/run (match|detect)-[-0-9A-Za-z]+/#) { "run \($0.output.1)" }
      .replacing(#/[0-9a-f]{64}/#, with: "<sha256>").replacing(#/\b[0-9a-f]{32}\b/#, with: "<id>")
      .split(separator: "\n").filter { !$0.hasPrefix("signal ") }.joined(separator: "\n")
  }

  private static func blocks(_ page: String) -> [(language: Substring, lines: [String])] {
    var found: [(language: Substring, lines: [String])] = []
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if !isInside { found.append((line.dropFirst(3), [])) }
        isInside.toggle()
      } else if isInside {
        found[found.count - 1].lines.append(String(line))
      }
    }
    return found
  }

  @Test func `the worked example of the page "How a component is decided" gives the printed output`() async throws {
    let asOf = "2026-05-06T00:00:00Z"
    let path = "\(TestServer.repository)/Sources/payrecon/payrecon.docc/Explanation/HowAComponentIsDecided.md"
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let blocks = Self.blocks(page)
    let orders = try #require(blocks.first { $0.language == "csv" })
    let purchases = page.matches(of: /\n\| `(\d+)` \| ([0-9TZ:-]+) \| (\w+) \|/)
    #expect(purchases.count == 3)
    try await scenario.ingest(.orders, orders.lines.joined(separator: "\n") + "\n", asOf: asOf)
    try await scenario.decide(
      evidence: purchases.map { row in
        let (id, at, user) = (String(row.output.1), String(row.output.2), String(row.output.3))
        return Scenario.upload(ApplePurchase(id, at: at).jws, user: user, at: at)
      }, asOf: asOf)
    #expect(try await scenario.cells(.matches, "order_id rung", asOf: asOf).sorted() == ["PO-1 M1", "PO-3 M6"])
    let job = ExplainJob(context: try scenario.context(asOf: asOf))
    let explained = blocks.filter { $0.lines.first?.hasPrefix("order PO-") == true }
    #expect(explained.count == 3)
    for block in explained {
      let id = try #require(block.lines.first?.split(separator: " ")[1].dropLast())
      let text = try await job.explain(String(id))
      // A line that ends with an ellipsis is a prefix.
      for line in block.lines where line != "…" {
        #expect(text.contains(line.hasSuffix("…") ? String(line.dropLast()) : "\(line)\n"), "\(line)\nis not in\n\(text)")
      }
    }
  }
}
