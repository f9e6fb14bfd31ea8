import FoundationEssentials

/// Closes of fiscal periods by two accounts, and what becomes known later.
@Suite(.cleansUp) struct PeriodCloseTests {
  typealias Line = FinanceFiles.Line

  private static let mayClock = "2026-06-05T00:00:00Z"

  private static func month(_ id: String, at: String, until: String) -> ApplePurchase {
    ApplePurchase.month(id, original: id, lineItem: "97\(id)", at: at, until: until)
  }

  private static func order(_ transaction: String, at: String) -> TestOrder {
    TestOrder("PO-\(transaction)", user: "U\(transaction)", at: at, names: transaction)
  }

  private static let coins = ApplePurchase("1", at: "2026-05-10T04:00:00Z")
  private static let vip = Line("2026-05-15", settled: "2026-05-17") {
    ($0.sku, $0.price, $0.share, $0.type) = ("vip.month", "25.00", "17.50", "IAY")
  }
  private static let may = [Line("2026-05-10", settled: "2026-05-12"), Line("2026-05-12", settled: "2026-05-14"), vip]

  private static func world() async throws -> Scenario { try await base.copy() }
  private static let base = BaseWorld { try await make() }

  /// Returns a world whose books began in April, with fiscal 2026-P08 tied out.
  ///
  /// - Parameters:
  ///   - known: when the purchases of May became known. The books begin then if it is June.
  ///   - more: purchases that Apple's report does not have, and orders of them.
  private static func make(
    known: String = "2026-05-29T00:00:00Z", _ more: [ApplePurchase] = [], _ orders: [TestOrder] = []
  ) async throws -> Scenario {
    var scenario = try await Scenario()
    if !more.isEmpty { scenario.settings.finance.coverageTarget = 100 }
    let april = month("90", at: "2026-04-10T04:00:00Z", until: "2026-05-10T04:00:00Z")
    if known < "2026-06" { try await scenario.evidence([april.jws], asOf: "2026-04-11T00:00:00Z") }
    try await scenario.orders([order("1", at: "2026-05-10T03:59:00Z")] + orders, asOf: known)
    let purchases = [
      coins, ApplePurchase("2", at: "2026-05-12T04:00:00Z"), month("3", at: "2026-05-15T04:00:00Z", until: "2026-06-15T04:00:00Z"),
    ]
    try await scenario.evidence((purchases + more).map(\.jws), asOf: known)
    if !orders.isEmpty { try await scenario.decide(asOf: known) }
    try await scenario.ingest(.finance, FinanceFiles.may(may), name: "may", asOf: "2026-06-04T00:00:00Z")
    try await scenario.decide(asOf: "2026-06-04T12:00:00Z")
    try await scenario.tieOut(asOf: "2026-06-04T12:00:00Z")
    return scenario
  }

  private static func closing(_ scenario: Scenario, _ at: String) throws -> PeriodClosing {
    PeriodClosing(context: try scenario.context(asOf: at))
  }

  @discardableResult
  private static func close(
    _ scenario: Scenario, _ period: String = "2026-P08", by login: String, named name: String? = nil, asOf: String = mayClock,
    at: String = "2026-06-06T00:00:00Z", out: String? = nil
  ) async throws -> PeriodClosing.Outcome {
    try await closing(scenario.login(login), at).close(period, asOf: instant(asOf), by: Person(name: name), reason: "", out: out)
  }

  static func status(_ scenario: Scenario, asOf: String, _ columns: String) async throws -> [String] {
    let bytes = ByteCollector()
    try await PeriodStatus(context: try scenario.context(asOf: asOf)).stream(nil, .ndjson, filter: RowFilter()) { bytes.append($0) }
    return try Scenario.rows(bytes.all).cells(columns)
  }

  // MARK: A close

  @Test func lateFactsAreCorrectionsByCause() async throws {
    let scenario = try await Self.world()
    let before = try await scenario.report(.coverage, asOf: "2026-06-05T00:00:00Z")
    let cells = try await scenario.rows(.cells, asOf: "2026-06-05T00:00:00Z")
    let proposed = try await Self.close(scenario, by: "ann")
    #expect(proposed.isProposal && proposed.reports.count == 5)
    let pending = try await Self.status(scenario, asOf: "2026-06-06T12:00:00Z", "fiscal_period state coverage_percent obstacles")
    #expect(pending == ["2026-P08 close_proposed 100.00 "])
    let signed = try await Self.close(scenario, by: "bob", at: "2026-06-07T00:00:00Z")
    #expect(!signed.isProposal && signed.reports == proposed.reports)
    let columns = "fiscal_period state proposed_by signed_by changed_charges"
    let closed = try await Self.status(scenario, asOf: "2026-06-08T00:00:00Z", columns)
    #expect(closed == ["2026-P08 closed test_ann test_bob 0"])

    try await Self.addLateFacts(scenario)
    let clock = "2026-06-25T00:00:00Z"
    let shown = try await scenario.report(.coverage, asOf: clock).rows("coverage.csv")
    #expect(try shown == before.rows("coverage.csv"), "a closed period is shown as signed")
    #expect(try await scenario.rows(.cells, asOf: clock) == cells, "the bridge cites the cells that it adds up")
    try await Self.expectCorrections(scenario, asOf: clock)
  }

  @Test func `a cell that only a later tie-out has is listed, and its head says so`() async throws {
    let scenario = try await Self.world()
    try await Self.close(scenario, by: "ann")
    try await Self.close(scenario, by: "bob", at: "2026-06-07T00:00:00Z")
    try await Self.addLateFacts(scenario)
    let clock = "2026-06-25T00:00:00Z"
    let later = try await scenario.answers("select cell_id from payrecon.tieout_cells where transaction_day = '2026-05-20'")
    let signed = try await scenario.rows(.cells, asOf: clock).compactMap { $0["cell_id"] }
    #expect(later.count == 1 && !signed.isEmpty)
    let note = "  not in the signed tie-out of the period, but in the one as of 2026-06-20T00:00:00Z"
    for cell in later + signed {
      let found = try await CellRows(context: scenario.context(asOf: clock)).table(cell: cell)
      #expect(found.head.contains { "\($0)" == note } == later.contains(cell), "\(found.head)")
      guard later.contains(cell) else { continue }
      #expect(try Scenario.rows(RowFilter().bytes(of: found.rows, as: .ndjson)).cells("side quantity") == ["charge 1", "Apple 1"])
    }
  }

  /// The journal of a closed period keeps its lines if the books began later: after facts of the day of its reports, and of another app.
  @Test func historyEndsWithTheFirstClose() async throws {
    let scenario = try await Self.make(known: "2026-06-03T00:00:00Z")
    try await Self.close(scenario, by: "ann")
    try await Self.close(scenario, by: "bob", at: "2026-06-07T00:00:00Z")
    for (id, app, known) in [("4", "com.acme.reader", "2026-06-05T12:00:00Z"), ("5", "com.acme.kids", "2026-06-12T00:00:00Z")] {
      let late = ApplePurchase(id, at: "2026-05-20T04:00:00Z").with { $0.bundleID = app }
      try await scenario.evidence([late.jws], asOf: known)
    }
    let lines = try await Self.corrections(scenario)
    #expect(lines == ["com.acme.kids", "com.acme.reader"].map { "\($0) coins60 rebooking late_fact -6000" })
  }

  @Test func `a zone of Apple's days that is learned after a close moves no charge across the end of the closed period`() async throws {
    let scenario = try await Self.make(known: "2026-06-03T00:00:00Z", [ApplePurchase("4", at: "2026-05-30T18:00:00Z")])
    try await Self.close(scenario, by: "ann")
    try await Self.close(scenario, by: "bob", at: "2026-06-07T00:00:00Z")
    let many = ApplePurchase("5", at: "2026-06-10T20:30:00Z", price: 360_000).with { $0.quantity = 60 }
    try await scenario.evidence([many.jws], asOf: "2026-06-12T00:00:00Z")
    try await scenario.tieOut("2026-P09", june: [Line("2026-06-10", settled: "2026-06-12", units: 60)], asOf: "2026-06-20T00:00:00Z")
    let zones = "select zone from payrecon.tieout_offsets where storefront = 'CHN' order by as_of"
    #expect(try await scenario.answers(zones) == ["Asia/Shanghai", "Europe/Moscow"])
    #expect(try await Self.corrections(scenario) == [])
  }

  /// A product's period, the previous period of a subscription, and its refund are corrections if they become known after a close. A line
  /// item changes nothing.
  @Test func whatIsLearnedLaterIsACorrection() async throws {
    func month(_ id: String, of first: String, _ product: String, at: String, until: String) -> ApplePurchase {
      ApplePurchase.month(id, original: first, lineItem: "97\(id)", at: at, until: until).with { $0.productID = product }
    }
    let (april, may, june) = ("2026-04-15T04:00:00Z", "2026-05-15T04:00:00Z", "2026-06-15T04:00:00Z")
    let bare = month("5", of: "5", "vip.bare", at: may, until: june).with { $0.webOrderLineItemID = nil }
    let before = ["7", "9"].map { month($0, of: $0, "vip.before", at: april, until: may) }
    let after = [("8", "7", "vip.unknown"), ("10", "9", "vip.refunded")].map { id, first, product in
      month(id, of: first, product, at: "2026-05-14T04:00:00Z", until: june)
    }
    let pass = ApplePurchase("6", at: may, product: "pass.month", type: "Non-Renewing Subscription", price: 30_000)
    let scenario = try await Self.make([bare, pass, before[1]] + after)
    try await Self.close(scenario, by: "ann")
    try await Self.close(scenario, by: "bob", at: "2026-06-07T00:00:00Z")
    let late = [
      bare.with { ($0.webOrderLineItemID, $0.signedAt) = ("975", instant("2026-06-08T00:00:00Z")) }, before[0],
      before[1].refunded(at: "2026-06-08T00:00:00Z"),
    ]
    try await scenario.evidence(late.map(\.jws), asOf: "2026-06-10T00:00:00Z")
    let catalogue = "bundle_id,product_id,type,period\ncom.acme.reader,pass.month,non_renewing,P30D\n"
    try await scenario.ingest(.catalogue, catalogue, name: "catalogue", asOf: "2026-06-10T00:00:00Z")
    let lines = try await Self.corrections(scenario).filter { !$0.contains("vip.before") }
    #expect(
      lines == [
        "com.acme.reader pass.month rebooking late_fact -16000", "com.acme.reader pass.month reversal late_fact 30000",
        "com.acme.reader vip.refunded rebooking late_fact -13280", "com.acme.reader vip.refunded reversal late_fact 12900",
        "com.acme.reader vip.unknown rebooking late_fact -12900", "com.acme.reader vip.unknown reversal late_fact 13280",
      ])
  }

  /// Another delivery, and a match of an old order, change nothing that was signed. Both were bought in April and delivered in May.
  @Test func laterDeliveriesAreCorrections() async throws {
    func order(_ id: String, _ product: String, delivered day: Int, of transaction: String?, stated: String) -> TestOrder {
      TestOrder("PO-\(id)", user: "U\(id)", at: "2026-04-20T03:50:00Z") {
        ($0.productID, $0.transactionID, $0.deliveredAt, $0.updatedAt) = (product, transaction, "2026-05-\(day)T04:00:00Z", stated)
      }
    }
    let (may, june) = ("2026-05-20T04:00:00Z", "2026-06-09T04:00:00Z")
    let token = "a1a1a1a1-1111-4222-8333-444455556602"
    let sold = [("11", "gems", nil), ("12", "gold", token)].map { ApplePurchase($0, at: "2026-04-20T04:00:00Z", product: $1, token: $2) }
    let scenario = try await Self.make(
      sold, [order("11", "gems", delivered: 10, of: "11", stated: may), order("12", "gold", delivered: 10, of: nil, stated: may)])
    try await Self.close(scenario, by: "ann")
    try await Self.close(scenario, by: "bob", at: "2026-06-07T00:00:00Z")
    let late = [
      order("11", "gems", delivered: 12, of: "11", stated: june), order("12", "gold", delivered: 10, of: "12", stated: june),
    ]
    try await scenario.decide(orders: late, asOf: "2026-06-10T00:00:00Z")
    #expect(try await Self.corrections(scenario) == ["com.acme.reader gold rebooking late_fact -6000"])
  }

  /// Returns the revenue lines by which 2026-P09 restates 2026-P08, whose own lines must be as signed.
  private static func corrections(_ scenario: Scenario) async throws -> [String] {
    func journal(_ period: String, asOf: String) async throws -> [[String: String]] {
      let files = try await scenario.report(.journal, period: period, formats: [.csv], asOf: asOf)
      return try files.rows("journal.csv").filter { $0["account"] == "revenue" }
    }
    let (signed, clock) = (try await journal("2026-P08", asOf: mayClock), "2026-06-25T00:00:00Z")
    #expect(!signed.isEmpty)
    #expect(try await journal("2026-P08", asOf: clock) == signed)
    let lines = try await journal("2026-P09", asOf: clock).filter { $0["restates_period"] == "2026-P08" }
    return lines.cells("bundle_id product_id entry cause amount_milliunits").sorted()
  }

  @Test func `the banner states the newest day of Apple's sales until they cover the period`() async throws {
    let scenario = try await Self.world()
    for (day, isLate) in [(nil, false), (12, true), (29, true), (30, false)] as [(Int?, Bool)] {
      if let day {
        let sales = FinanceFiles.sales("2026-05-\(day)", [("app", "1F", 1, "1")])
        try await scenario.ingest(.finance, sales, name: "S_D_1_85000000_202605\(day)", asOf: Self.mayClock)
      }
      let page = try await scenario.report(.coverage, formats: [.html], asOf: Self.mayClock).text("coverage.html")
      let late = "No sales data after 2026-05-\(day ?? 0): the period runs to 2026-05-30."
      #expect(page.contains("No sales data after") == isLate && page.contains(late) == isLate, "\(day ?? 0)")
    }
  }

  /// Adds a late charge, a late refund, an order of a charge that had none, a decision, and another version of Apple's report.
  private static func addLateFacts(_ scenario: Scenario) async throws {
    try await scenario.evidence([ApplePurchase("4", at: "2026-05-20T04:00:00Z").jws], asOf: "2026-06-10T00:00:00Z")
    let refunded = coins.refunded(at: "2026-05-25T04:00:00Z", signedAt: "2026-05-25T05:00:00Z")
    try await scenario.evidence([refunded.jws], asOf: "2026-06-12T00:00:00Z")
    try await scenario.orders([order("2", at: "2026-05-12T03:59:00Z")], asOf: "2026-06-14T00:00:00Z")
    try await scenario.unmatch("PO-1", from: "1", at: "2026-06-15T00:00:00Z")
    let lines = may + [Line("2026-05-20", settled: "2026-05-22")]
    try await scenario.ingest(.finance, FinanceFiles.may(lines), name: "may2", asOf: "2026-06-16T00:00:00Z")
    try await scenario.decide(asOf: "2026-06-20T00:00:00Z")
    try await scenario.tieOut(asOf: "2026-06-20T00:00:00Z")
  }

  private static func expectCorrections(_ scenario: Scenario, asOf: String) async throws {
    let files = try await scenario.report(.restatement, asOf: asOf)
    let checks = try files.rows("restatement_identities.csv")
    #expect(checks.filter { $0["holds"] != "yes" } == [])
    #expect(checks.count >= 10)
    let lines = try files.rows("corrections.csv").cells(
      "period restates_period report revenue_basis metric cause amount_milliunits")
    #expect(
      lines == [
        "2026-P09 2026-P08 revenue gross booked late_fact 6000", "2026-P09 2026-P08 revenue gross recognised late_fact 6000",
        "2026-P09 2026-P08 revenue gross refunded refund 6000", "2026-P09 2026-P08 revenue net_of_tax booked late_fact 6000",
        "2026-P09 2026-P08 revenue net_of_tax recognised late_fact 6000", "2026-P09 2026-P08 revenue net_of_tax refunded refund 6000",
        "2026-P09 2026-P08 revenue proceeds booked late_fact 4500", "2026-P09 2026-P08 revenue proceeds booked true_up -2150",
        "2026-P09 2026-P08 revenue proceeds recognised late_fact 4500", "2026-P09 2026-P08 revenue proceeds recognised true_up -1540",
        "2026-P09 2026-P08 revenue proceeds refunded refund 4200", "2026-P09 2026-P08 tieout  Apple gross restated_by_apple 6000",
        "2026-P09 2026-P08 tieout  charges without order decision 6000", "2026-P09 2026-P08 tieout  charges without order late_fact 6000",
        "2026-P09 2026-P08 tieout  charges without order re_match -6000", "2026-P09 2026-P08 tieout  not yet settled refund 6000",
        "2026-P09 2026-P08 tieout  our gross late_fact 6000", "2026-P09 2026-P08 tieout  our gross refund -6000",
      ])
    #expect(try await status(scenario, asOf: asOf, "state tied_out_again_at new_files") == ["closed 2026-06-20T00:00:00Z 1"])
  }

  /// Verifies that no tie-out is added or replaced at clocks that signed reports show.
  static func expectSignedTieouts(_ scenario: Scenario, _ period: String, _ clocks: [String]) async throws {
    for clock in clocks {
      let error = await #expect(throws: (any Error).self, "\(clock)") { try await scenario.tieOut(period, asOf: clock) }
      let text = "\(try #require(error))"
      #expect(text.contains("are signed; tie out at a later clock") && !text.contains("SQLSTATE"), "\(clock): \(text)")
    }
  }

  // MARK: Conditions

  @Test func aCloseNamesEveryConditionThatIsNotMet() async throws {
    var scenario = try await Self.world()
    for (period, asOf, text) in [
      ("2026-P08", "2026-05-31T12:00:00Z", "period 2026-P08 can be closed as of 2026-06-01T07:00:00Z at the earliest"),
      ("2026-P08", "2026-05-31T12:00:00Z", "period 2026-P08 was not tied out"),
      ("2026-P07", Self.mayClock, "period 2026-P07 was not tied out"),
      ("2026-P13", Self.mayClock, "is no fiscal period"), ("2026-P08", "2026-06-06T12:00:00Z", "is later than now"),
    ] {
      let refused = await refusal { try await Self.close(scenario, period, by: "ann", asOf: asOf) }
      #expect(refused.contains(text), "\(period) as of \(asOf): \(refused)")
    }
    // A return that nothing explains.
    let lines = Self.may + [Line("2026-05-09", settled: "2026-05-12", units: -1)]
    try await scenario.ingest(.finance, FinanceFiles.may(lines), name: "may2", asOf: "2026-06-04T18:00:00Z")
    #expect(await refusal { try await Self.close(scenario, by: "ann") }.contains("read after its tie-out: 1"))
    try await scenario.tieOut(asOf: "2026-06-04T20:00:00Z")
    let uncovered = await refusal { try await Self.close(scenario, by: "ann") }
    #expect(uncovered.contains("the coverage of period 2026-P08 is 75.00 %, the target is 95 %"), "\(uncovered)")
    scenario.settings.finance.coverageTarget = 7500
    let unknown = await refusal { try await Self.close(scenario, by: "ann") }
    #expect(unknown.contains("no run had the settings "), "\(unknown)")
    try await scenario.tieOut(asOf: "2026-06-04T21:00:00Z")
    #expect(try await Self.close(scenario, by: "ann", at: Self.mayClock).isProposal)
    // A close at the clock of its reports would change them.
    let own = await refusal { try await Self.close(scenario, by: "bob", at: Self.mayClock) }
    #expect(own.contains("the signature must be later than its reports"), "\(own)")
  }

  /// A charge and a refund that became known after the tie-out are not counted by it.
  @Test func chargesChangedSinceTheTieoutPreventAClose() async throws {
    let scenario = try await Self.world()
    try await scenario.evidence([ApplePurchase("4", at: "2026-05-20T04:00:00Z").jws], asOf: "2026-06-04T18:00:00Z")
    let refunded = Self.coins.refunded(at: "2026-05-25T04:00:00Z", signedAt: "2026-05-25T05:00:00Z")
    try await scenario.evidence([refunded.jws], asOf: "2026-06-04T19:00:00Z")
    let obstacle = "2 charges of period 2026-P08 changed since its tie-out; tie it out again"
    #expect(try await Self.status(scenario, asOf: Self.mayClock, "fiscal_period obstacles") == ["2026-P08 \(obstacle)"])
    #expect(await refusal { try await Self.close(scenario, by: "ann") }.contains(obstacle))
    // A charge of another period, and one that becomes known after the clock of the close, are no obstacle.
    try await scenario.evidence([ApplePurchase("5", at: "2026-06-01T04:00:00Z").jws], asOf: "2026-06-04T20:30:00Z")
    try await scenario.evidence([ApplePurchase("6", at: "2026-05-21T04:00:00Z").jws], asOf: "2026-06-05T12:00:00Z")
    try await scenario.tieOut(asOf: "2026-06-04T20:00:00Z")
    let again = Self.coins.refunded(at: "2026-05-26T04:00:00Z", signedAt: "2026-05-26T05:00:00Z")
    try await scenario.evidence([again.jws], asOf: "2026-06-04T20:45:00Z")
    #expect(await refusal { try await Self.close(scenario, by: "ann") }.contains("1 charges of period 2026-P08 changed"))
    try await scenario.tieOut(asOf: "2026-06-04T21:00:00Z")
    #expect(await !refusal { try await Self.close(scenario, by: "ann") }.contains("changed since its tie-out"))
  }

  // MARK: Attacks

  @Test func onePersonNeverClosesAPeriod() async throws {
    let scenario = try await Self.world()
    let out = "\(scenario.directory)/close"
    try await Self.close(scenario, by: "ann", named: "Ann", out: out)
    for (login, name, text) in [
      ("ann", nil, "second person"), ("ann", "bob", "second person"), ("bob", "ANN", "second person"), ("bob", " a nn", "second person"),
      ("bob", "\u{FF21}nn", "contains a variant form of a letter"), ("bob", "\u{430}nn", "mixes letters of several alphabets"),
      ("bob", "a\u{200B}nn", "contains a character that is not shown"),
    ] {
      let refused = await refusal { try await Self.close(scenario, by: login, named: name) }
      #expect(refused.contains(text), "\(login) as \(name ?? "-"): \(refused)")
    }
    try await Self.expectRefusedSQL(scenario)
    for (login, end, text) in [
      ("bob", PeriodClosing.Conclusion.withdrawn, "account test_ann proposed it, and only that account can withdraw it"),
      ("ann", .rejected, "account test_ann proposed it, a second person must reject it"),
    ] {
      let closing = try await Self.closing(scenario.login(login), "2026-06-06T01:00:00Z")
      let refused = await refusal { try await closing.end("2026-P08", end, by: Person(), reason: "x") }
      #expect(refused.contains(text), "\(refused)")
    }
    // A changed file whose manifest was hashed again.
    try await Self.close(scenario, by: "bob", at: "2026-06-07T00:00:00Z")
    let verification = RunVerification(context: try scenario.context(asOf: "2026-06-08T00:00:00Z"))
    #expect(try await verification.verify(directory: "\(out)/coverage").findings == [])
    for (rehashes, file) in [(false, "coverage.csv"), (true, "manifest.json")] {
      try Self.forge("\(out)/coverage", rehashes: rehashes)
      #expect(try await verification.verify(directory: "\(out)/coverage").findings.map(\.file) == [file])
    }
  }

  /// Changes a cell, and writes the file's new hash into the manifest if asked to.
  private static func forge(_ folder: String, rehashes: Bool) throws {
    let file = URL(filePath: "\(folder)/coverage.csv")
    let signed = try Data(contentsOf: file)
    let text = String(decoding: signed, as: UTF8.self).replacing("2026-P08", with: "2026-P07")
    try Data(text.utf8).write(to: file)
    guard rehashes else { return }
    // The file was changed before; the manifest has the hash of the signed text.
    let before = Data(text.replacing("2026-P07", with: "2026-P08").utf8)
    let manifest = URL(filePath: "\(folder)/manifest.json")
    let hashed = String(decoding: try Data(contentsOf: manifest), as: UTF8.self).replacing(sha256(before), with: sha256(Data(text.utf8)))
    try Data(hashed.utf8).write(to: manifest)
  }

  private static func sha256(_ data: Data) -> String { SHA256.hex(Array(data)) }

  /// The database refuses steps by direct SQL, under the role of reviewers.
  private static func expectRefusedSQL(_ scenario: Scenario) async throws {
    // Roles whose names differ in case or by a Cyrillic letter. Another test may have created them.
    for role in ["test_ANN", "test_\u{430}nn"] {
      try? await scenario.execute("create role \"\(role)\" login password 'test'")
      try? await scenario.execute("grant payrecon_review, payrecon_report to \"\(role)\"")
    }
    let (ann, bob) = (try await scenario.session("ann"), try await scenario.session("bob"))
    let (other, cyrillic) = (try await scenario.session("ANN"), try await scenario.session("\u{430}nn"))
    func step(_ step: String, person: String = "zoe", _ change: String = "fiscal_period", at: String = "2026-06-06T02:00:00Z") -> String {
      let (id, proposal) = step == "proposed" ? ("md5(act_id)", "null") : ("act_id", "'proposed'")
      return """
        insert into payrecon.period_steps (
          act_id, step, kind, fiscal_period, as_of, tied_out_at, settings_sha256, code_version, coverage, coverage_target,
          reports_sha256, figures_sha256, person, account, proposal_step, proposal_account, reason, at)
        select \(id), '\(step)', kind, \(change), as_of, tied_out_at, settings_sha256, code_version, 100, 0,
          reports_sha256, figures_sha256, '\(person)', 'test_zoe', \(proposal), 'test_zoe', '', '\(at)'
        from payrecon.period_steps where step = 'proposed'
        """
    }
    let (second, denied) = ("a second person must decide", "permission denied")
    for (sql, session, text) in [
      (step("signed"), ann, second), (step("signed"), other, second), (step("signed"), cyrillic, "mixes letters of several alphabets"),
      (step("signed", person: "aNn"), bob, second), (step("signed", person: "\u{FF21}nn"), bob, second),
      (step("signed", person: "\u{430}nn"), bob, "mixes letters of several alphabets"),
      (step("signed", at: mayClock), bob, "the proposal was made as of 2026-06-06T00:00:00Z"),
      (step("signed", at: "2026-06-01T00:00:00Z"), bob, "decisions were made as of"),
      (step("withdrawn"), bob, "only that account can withdraw it"), (step("proposed"), bob, "is proposed already"),
      (step("proposed", "'2026-P07'"), bob, "period 2026-P07 was not tied out"),
      ("update payrecon.period_steps set account = 'test_zoe'", bob, denied), ("delete from payrecon.period_steps", bob, denied),
      ("update payrecon.period_figures set value = 0", bob, denied),
      (
        "insert into payrecon.period_figures select act_id, 'x', '', '', 'x', 1 from payrecon.period_steps", bob,
        "figures of a close cannot be changed"
      ),
      (
        "insert into payrecon.period_reports select act_id, 'x', '', repeat('0', 64), 1, '', '{}' from payrecon.period_steps", bob,
        "figures of a close cannot be changed"
      ),
      ("select payrecon.audit_append('2026-06-06T02:00:00Z', 'bob', 'period_closed', '2026-P08', '{}')", bob, "period_closed"),
    ] {
      let refused = await refusal { try await session.executeAlone(sql) }
      #expect(refused.contains(text), "\(refused): \(sql)")
    }
  }

  @Test func namesOfOnePersonAreEqual() async throws {
    let scenario = try await Scenario()
    let session = try await scenario.session(role: nil)
    for (one, other, isSame) in [
      ("ann", "ANN", true), ("ann", " a nn\t", true), ("\u{C9}va", "e\u{301}VA", true), ("Stra\u{DF}e", "STRASSE", true),
      ("\u{410}\u{43D}\u{43D}\u{430}", "\u{430}\u{41D}\u{41D}\u{410}", true),
      ("\u{3A3}\u{3AF}\u{3C2}", "\u{3C3}\u{38A}\u{3A3}", true),
      ("ann", "anna", false), ("e\u{301}va", "eva", false),
    ] {
      #expect((PersonName.key(one) == PersonName.key(other)) == isSame, "\(one) and \(other)")
      let sql = "do $$ begin assert (payrecon.person_key('\(one)') = payrecon.person_key('\(other)')) = \(isSame); end $$"
      await #expect(throws: Never.self, "\(one) and \(other)") { try await session.executeAlone(sql) }
    }
    for (name, isFaulty) in [
      ("ann", false), ("\u{430}nn", true), ("a\u{200B}nn", true), ("ann\u{AD}", true), ("\u{202E}ann", true), ("ann\u{FE0F}", true),
      ("\u{410}\u{43D}\u{43D}\u{430}", false), ("\u{391}nn", true), ("\u{5C71}\u{7530} Taro", false), ("\u{C5}sa \u{D8}re", false),
    ] {
      #expect((PersonName.fault(name) != nil) == isFaulty, "\(name)")
      let sql = "do $$ begin assert (payrecon.person_name_fault('\(name)') is not null) = \(isFaulty); end $$"
      await #expect(throws: Never.self, "\(name)") { try await session.executeAlone(sql) }
    }
  }

  @Test func editedRowsAreFound() async throws {
    let scenario = try await Self.world()
    try await Self.close(scenario, by: "ann")
    try await Self.close(scenario, by: "bob", at: "2026-06-07T00:00:00Z")
    let clock = "2026-06-08T00:00:00Z"
    #expect(try await scenario.auditFaults(asOf: clock) == [])
    let session = try await scenario.session(role: nil)
    func edited(_ sql: String, back: String, _ expected: String) async throws {
      try await session.executeAlone("set session_replication_role = replica")
      try await session.executeAlone(sql)
      let faults = try await scenario.auditFaults(asOf: clock)
      #expect(faults.contains { $0.contains(expected) }, "\(sql): \(faults)")
      try await session.executeAlone(back)
      #expect(try await scenario.auditFaults(asOf: clock) == [], "\(back)")
    }
    try await edited(
      "update payrecon.period_figures set value = value + 1 where metric = 'gross booked'",
      back: "update payrecon.period_figures set value = value - 1 where metric = 'gross booked'", "other figures")
    try await edited(
      "update payrecon.period_reports set verdict = verdict || 'x'",
      back: "update payrecon.period_reports set verdict = left(verdict, -1)", "other reports")
    try await edited(
      "update payrecon.period_steps set account = 'test_zoe' where step = 'signed'",
      back: "update payrecon.period_steps set account = 'test_bob' where step = 'signed'", "no row of its table confirms it")
    try await edited(
      "update payrecon.period_steps set reports_sha256 = repeat('0', 64) where step = 'signed'",
      back: """
        update payrecon.period_steps set reports_sha256 = (
          select p.reports_sha256 from payrecon.period_steps as p where p.step = 'proposed') where step = 'signed'
        """, "no entry says so")
    // Facts and decisions at clocks of the signed reports: facts become known after them, decisions are refused.
    try await scenario.evidence([ApplePurchase("4", at: "2026-05-20T04:00:00Z").jws], asOf: "2026-06-04T18:00:00Z")
    try await scenario.ingest(.finance, FinanceFiles.may(Self.may + [Self.vip]), name: "late", asOf: Self.mayClock)
    for asOf in ["2026-06-04T18:00:00Z", Self.mayClock] {
      let refused = await refusal { try await scenario.decide(asOf: asOf) }
      #expect(refused.contains("decisions were made as of 2026-06-05T00:00:00.000001Z"), "\(refused)")
    }
    // A job neither replaces a signed tie-out nor adds one that the signed reports would show.
    try await Self.expectSignedTieouts(scenario, "2026-P08", ["2026-06-04T12:00:00Z", "2026-06-04T18:00:00Z", Self.mayClock])
    try await session.executeAlone("set session_replication_role = origin")
    for sql in ["update payrecon.tieouts set source = source", "delete from payrecon.tieouts"] {
      await #expect(throws: PostgresError.self, "\(sql)") { try await session.executeAlone(sql) }
    }
    #expect(try await PeriodStatus(context: try scenario.context(asOf: clock)).replay("2026-P08", out: nil).findings == [])
    // Cells of the signed tie-out that a job rewrote: the reports no longer have the signed bytes.
    try await session.executeAlone("update payrecon.tieout_cells set l1_units = l1_units + 1")
    let replay = try await PeriodStatus(context: try scenario.context(asOf: clock)).replay("2026-P08", out: nil)
    #expect(replay.findings.contains { $0.hasPrefix("coverage: ") && !$0.contains("erased") })
    // An erasure since then is named as a possible reason.
    try await session.executeAlone("insert into payrecon.erased_users values ('hash', 'erased-1', '2026-06-07T00:00:00Z')")
    let after = try await PeriodStatus(context: try scenario.context(asOf: clock)).replay("2026-P08", out: nil)
    #expect(after.findings.contains { $0.contains("people erased after its clock: 1, which may be the reason") })
  }
}
