import FoundationEssentials

/// Fiscal 2026 month by month: ingest, night, tie-out, close by two accounts, then a fact or setting that becomes known after the close.
@Suite(.cleansUp) struct FiscalYearTests {
  /// First days of the periods of fiscal 2026, and of the period after them.
  private static let starts = [
    "2025-09-28", "2025-11-02", "2025-11-30", "2025-12-28", "2026-02-01", "2026-03-01", "2026-03-29", "2026-05-03", "2026-05-31",
    "2026-06-28", "2026-08-02", "2026-08-30", "2026-09-27",
  ]

  private enum Late: CaseIterable {
    case refund, charge, reversal, order, decision, tax, commission, policy

    var causes: Set<String> {
      switch self {
      case .refund: ["refund"]
      case .charge: ["late_fact"]
      case .reversal: ["reversal"]
      case .order: ["re_match"]
      case .decision: ["decision"]
      case .tax, .commission: ["policy"]
      case .policy: []
      }
    }
  }

  private struct Sale {
    var purchase: ApplePurchase
    var month: Int
    var hasOrder = false
    var isRefunded = false
  }

  private struct Year {
    var scenario: Scenario
    var dice: Dice
    var sales: [Sale] = []
    var settings: [JobSettings] = []
    /// Rows of the table revenue and the journal of each period, when it was signed.
    var signed: [(revenue: [[String: String]], journal: String)] = []
    var corrections: Set<String> = []
    var causes: Set<String> = []
  }

  private static func rates(_ text: String) throws -> ExchangeRates {
    ExchangeRates(base: "EUR", rates: [try #require(ExchangeRates.Rate(currency: "CNY", from: "2020-01-01", text: text))])
  }

  private static func period(_ month: Int) -> String { "2026-P\(month < 9 ? "0" : "")\(month + 1)" }

  private static func at(_ month: Int, _ days: Int, hour: Int64 = 0) -> String {
    instant("\(starts[month])T00:00:00Z").advanced(bySeconds: Int64(days) * 86_400 + hour * 3600).rfc3339
  }

  private static func month(_ id: String, at: String, days: Int64, price: Int64, _ storefront: String, _ currency: String) -> ApplePurchase
  {
    .month(id, original: id, lineItem: "97\(id)", at: at, until: instant(at).advanced(bySeconds: days * 86_400).rfc3339, price: price)
      .with { ($0.storefront, $0.currency) = (storefront, currency) }
  }

  @Test func closedMonthsStayAndCorrectionsAddUp() async throws {
    let seed = ProcessInfo.processInfo.environment["PAYRECON_TEST_SEED"].flatMap(UInt64.init) ?? 2026
    print("year: seed \(seed)")
    var year = Year(scenario: try await Scenario(), dice: Dice(seed: seed))
    year.scenario.settings.finance.coverageTarget = 0
    year.scenario.settings.finance.taxes = [.init(storefront: "DEU", programme: nil, validFrom: "2020-01-01", basisPoints: 1900)]
    year.scenario.settings.journal.rates = try Self.rates("0.13")
    let first = Self.month("90", at: "2025-09-10T04:00:00Z", days: 365, price: 365_000, "CHN", "CNY")
    try await year.scenario.evidence([first.jws], asOf: "2025-09-20T00:00:00Z")
    let deck = [Late.refund] + year.dice.shuffled(Late.allCases + [.charge, .tax, .commission])
    for (month, late) in deck.enumerated() {
      try await Self.play(month, &year)
      try await Self.close(month, &year)
      try await Self.add(late, after: month, &year)
      try await Self.expectCorrections(after: month, of: late, &year)
    }
    #expect(year.causes == Late.allCases.reduce(into: Set(["true_up"])) { $0.formUnion($1.causes) })
    try await Self.expectReplays(year)
    try await Self.expectOtherProgram(year)
    try await Self.expectReopening(year.scenario)
    #expect(try await year.scenario.auditFaults(asOf: Self.at(12, 20)) == [])
    try await Self.expectBrokenOpenings(year.scenario)
  }

  /// A later month signs what it learned of an earlier one, also if that one is closed after the clock of its reports.
  @Test func twoMonthsAreClosedAsOfOneNight() async throws {
    var year = Year(scenario: try await Scenario(), dice: Dice(seed: 2026))
    year.scenario.settings.finance.coverageTarget = 0
    let first = Self.month("90", at: "2025-09-10T04:00:00Z", days: 365, price: 365_000, "CHN", "CNY")
    try await year.scenario.evidence([first.jws], asOf: "2025-09-20T00:00:00Z")
    try await Self.play(0, &year)
    try await Self.close(0, &year)
    try await Self.play(1, &year)
    let late = Self.month("19", at: Self.at(1, 24, hour: 4), days: 90, price: 30_000, "CHN", "CNY")
    try await year.scenario.evidence([late.jws], asOf: Self.at(2, 10))
    try await Self.play(2, &year)
    try await year.scenario.tieOut(Self.period(1), asOf: Self.at(3, 4))
    try await Self.close(1, asOf: Self.at(3, 5), at: Self.at(3, 6), year.scenario)
    try await Self.close(2, asOf: Self.at(3, 5), at: Self.at(3, 8), year.scenario)
    let files = try await year.scenario.report(.restatement, formats: [.csv], asOf: Self.at(3, 10))
    let checks = try files.rows("restatement_identities.csv")
    #expect(checks.count > 10 && checks.filter { $0["holds"] != "yes" } == [])
    let lines = try files.rows("corrections.csv").filter { $0["revenue_basis"] == "gross" && $0["metric"] == "booked" }
    #expect(lines.cells("period restates_period cause amount_milliunits") == ["2026-P03 2026-P02 late_fact 30000"])
  }

  // MARK: A month

  /// Ingests purchases, half of them with orders, and Apple's report of the coins; then a night and a tie-out.
  private static func play(_ month: Int, _ year: inout Year) async throws {
    let scenario = year.scenario
    func day() -> String { at(month, year.dice.number(1...20), hour: 4) }
    let sold = [
      ApplePurchase("\(month)1", at: day()), ApplePurchase("\(month)2", at: day()), ApplePurchase("\(month)3", at: day()),
      Self.month("\(month)4", at: day(), days: 30, price: 25_000, "CHN", "CNY"),
      Self.month("\(month)5", at: day(), days: 365, price: 119_000, "DEU", "EUR"),
    ]
    year.sales += sold.enumerated().map { Sale(purchase: $1, month: month, hasOrder: $0 == 0) }
    let known = at(month, 22)
    try await scenario.orders([order(sold[0])], asOf: known)
    try await scenario.evidence(sold.map(\.jws), asOf: known)
    let lines = sold[..<3].map { purchase in
      let days = [0, 2].map { purchase.purchasedAt.advanced(bySeconds: $0 * 86_400).rfc3339.prefix(10) }
      return FinanceFiles.Line(String(days[0]), settled: String(days[1]))
    }
    let file = FinanceFiles.detail(lines, from: starts[month], to: String(at(month + 1, -1).prefix(10)))
    try await scenario.ingest(.finance, file, name: "detail\(month)", asOf: at(month + 1, 2))
    try await scenario.night(asOf: at(month + 1, 3))
    try await scenario.tieOut(period(month), asOf: at(month + 1, 4))
  }

  private static func order(_ purchase: ApplePurchase) -> TestOrder {
    let id = purchase.transactionID
    return TestOrder("PO-\(id)", user: "U\(id)", at: purchase.purchasedAt.rfc3339, names: id)
  }

  /// Closes a month by two accounts, a day apart.
  ///
  /// - Parameters:
  ///   - asOf: clock of the reports.
  ///   - at: clock of the proposal.
  private static func close(_ month: Int, asOf: String, at: String, _ scenario: Scenario) async throws {
    for (login, days) in [("ann", 0), ("bob", 1)] as [(String, Int64)] {
      let clock = instant(at).advanced(bySeconds: days * 86_400).rfc3339
      let closing = PeriodClosing(context: try await scenario.login(login).context(asOf: clock))
      let done = try await closing.close(period(month), asOf: instant(asOf), by: Person(), reason: "", out: nil)
      #expect(done.isProposal == (login == "ann"), "\(period(month))")
    }
  }

  private static func close(_ month: Int, _ year: inout Year) async throws {
    try await close(month, asOf: at(month + 1, 5), at: at(month + 1, 6), year.scenario)
    if month == 1 {
      // A clock before the close of the later period does not hide it.
      let past = PeriodClosing(context: try await year.scenario.login("ann").context(asOf: at(2, 6)))
      await #expect(throws: JobError.self) { try await past.reopen(period(0), by: Person(), reason: "late file") }
    }
    year.settings.append(year.scenario.settings)
    let asOf = at(month + 1, 7, hour: 1)
    year.signed.append((try await revenue(month, year, asOf: asOf), try await journal(month, year.scenario, asOf: asOf)))
  }

  // MARK: After a close

  private static func add(_ late: Late, after month: Int, _ year: inout Year) async throws {
    let (scenario, clock) = (year.scenario, at(month + 1, 8))
    func place(where isFit: (Sale) -> Bool) -> Int { year.dice.pick(year.sales.indices.filter { isFit(year.sales[$0]) }) }
    switch late {
    case .refund, .reversal:
      let place = place { late == .refund ? !$0.isRefunded : $0.isRefunded }
      year.sales[place].isRefunded.toggle()
      let at = at(month + 1, late == .refund ? -2 : -1)
      let changed = year.sales[place].purchase.with { ($0.signedAt, $0.revokedAt) = (instant(at), late == .refund ? instant(at) : nil) }
      try await scenario.evidence([changed.jws], asOf: clock)
    case .charge:
      try await scenario.evidence([ApplePurchase("\(month)9", at: at(month, 24, hour: 4)).jws], asOf: clock)
    case .order:
      let place = place { !$0.hasOrder && $0.purchase.productID == "coins60" && $0.month == month }
      year.sales[place].hasOrder = true
      try await scenario.orders([order(year.sales[place].purchase)], asOf: clock)
    case .decision:
      let sold = year.sales[place { $0.hasOrder && $0.month == month }].purchase.transactionID
      try await scenario.unmatch("PO-\(sold)", from: sold, at: clock)
    case .tax:
      year.scenario.settings.finance.taxes = [
        .init(storefront: "DEU", programme: nil, validFrom: "2020-01-01", basisPoints: Int64(year.dice.number(500...2500)))
      ]
    case .commission:
      year.scenario.settings.finance.agreedCommissions.append(
        .init(storefront: nil, programme: "standard", validFrom: "2008-07-10", basisPoints: Int64(year.dice.number(1000...4000))))
    case .policy: year.scenario.settings.journal.policy = .agent
    }
    try await year.scenario.decide(asOf: at(month + 1, 9))
    try await year.scenario.tieOut(period(month), asOf: at(month + 1, 9))
  }

  // MARK: Expectations

  private static func revenue(_ month: Int, _ year: Year, asOf: String) async throws -> [[String: String]] {
    let files = try await year.scenario.report(.deferred, formats: [.csv], asOf: asOf)
    #expect(try files.failures("deferred_identities.csv") == [])
    return try files.rows("revenue.csv").filter { $0["scope"] == "fiscal" && $0["period"] == period(month) }
  }

  private static func journal(_ month: Int, _ scenario: Scenario, asOf: String) async throws -> String {
    let files = try await scenario.report(.journal, period: period(month), formats: [.csv], asOf: asOf)
    for (name, column) in [("journal.csv", "amount_milliunits"), ("trial_balance.csv", "closing_milliunits")] {
      let sums = try files.rows(name).reduce(into: [String: Int]()) { sums, row in
        sums[row["currency"] ?? "", default: 0] += Int(row[column] ?? "") ?? 0
      }
      #expect(!sums.isEmpty && sums.allSatisfy { $0.value == 0 }, "\(period(month)) \(name)")
    }
    return try files.text("journal.csv")
  }

  private static func corrections(_ year: Year, asOf: String) async throws -> (lines: [[String: String]], figures: [[String: String]]) {
    let files = try await year.scenario.report(.restatement, formats: [.csv], asOf: asOf)
    let checks = try files.rows("restatement_identities.csv")
    #expect(checks.filter { $0["holds"] != "yes" } == [], "\(asOf)")
    let openings = checks.filter { $0["identity"] == "opening" }
    #expect(Set(openings.cells("period")) == Set((1...year.signed.count).map { $0 < 12 ? period($0) : "2027-P01" }), "\(asOf)")
    return (try files.rows("corrections.csv"), try files.rows("closed_figures.csv"))
  }

  /// Corrections add up to each figure as known now less as signed, and that of the newest month have the cause of what became known.
  private static func expectCorrections(after month: Int, of late: Late, _ year: inout Year) async throws {
    let asOf = at(month + 1, 10)
    let (lines, figures) = try await corrections(year, asOf: asOf)
    let keys = ["restates_period", "report", "currency", "revenue_basis", "metric"]
    let sums = lines.reduce(into: [[String]: Int]()) { sums, line in
      sums[keys.map { line[$0] ?? "" }, default: 0] += Int(line["amount_milliunits"] ?? "") ?? 0
    }
    for figure in figures {
      let (now, signed) = (Int(figure["now_milliunits"] ?? "") ?? 0, Int(figure["signed_milliunits"] ?? "") ?? 0)
      let key = (["period"] + keys.dropFirst()).map { figure[$0] ?? "" }
      #expect(now - signed == sums[key] ?? 0, "\(key) after \(period(month))")
    }
    let texts = lines.map { line in (line["cause"] ?? "", line.sorted { $0.key < $1.key }.map(\.value).joined(separator: " ")) }
    let new = Set(texts.filter { !year.corrections.contains($0.1) }.map(\.0)).subtracting(["true_up"])
    #expect(new == late.causes, "\(late) after \(period(month))")
    year.corrections = Set(texts.map(\.1))
    year.causes.formUnion(texts.map(\.0))
    if month % 4 == 3 { try await expectSigned(year, asOf: asOf) }
  }

  private static func expectSigned(_ year: Year, asOf: String) async throws {
    let files = try await year.scenario.report(.deferred, formats: [.csv], asOf: asOf)
    let rows = try files.rows("revenue.csv").filter { $0["scope"] == "fiscal" }
    for (month, signed) in year.signed.enumerated() {
      #expect(rows.filter { $0["period"] == period(month) } == signed.revenue, "\(period(month)) as of \(asOf)")
    }
    #expect(try await journal(year.signed.count - 1, year.scenario, asOf: asOf) == year.signed.last?.journal, "\(asOf)")
  }

  private static func expectReplays(_ year: Year) async throws {
    let clock = at(12, 11)
    // Closed journals keep their accounts, dimensions and rates.
    var renumbered = year.scenario
    renumbered.settings.journal.codes[.revenue] = "4999"
    renumbered.settings.journal.dimensions = [.app]
    renumbered.settings.journal.rates = try rates("0.15")
    for (month, settings) in year.settings.enumerated() {
      #expect(try await journal(month, renumbered, asOf: clock) == year.signed[month].journal, "\(period(month))")
      var scenario = year.scenario
      scenario.settings = settings
      let replay = try await PeriodStatus(context: try scenario.context(asOf: clock)).replay(period(month), out: nil)
      #expect(replay.reportCount == 5 && replay.findings == [], "\(period(month))")
    }
    // Another revenue policy books again what earlier periods booked.
    #expect(year.signed.contains { $0.journal.split(separator: "\n").contains { $0.contains(",policy,") && $0.contains(",agent,") } })
    // A figure of a signed report has its rows of then.
    var last = year.scenario
    last.settings = try #require(year.settings.last)
    let then = try await PeriodStatus(context: try last.context(asOf: clock)).signedContext(of: period(11))
    #expect(then.asOf.rfc3339 == at(12, 5))
    try await FigureWalk.expect(last, .refunds, least: [.refundMonths: 1, .refundMovement: 4, .refundRates: 20], asOf: then.asOf.rfc3339)
    await #expect(throws: JobError.self) { try await PeriodStatus(context: try last.context(asOf: clock)).signedContext(of: "2027-P01") }
  }

  /// Another version of the program earns terms one day longer.
  private static func expectOtherProgram(_ year: Year) async throws {
    var other = year
    other.scenario.sql = try year.scenario.changedSQL("schedules/facts.sql") {
      $0.replacing("entry.term_to,", with: "entry.term_to + interval '1 day' as term_to,")
    }
    other.scenario.codeVersion = "test-2"
    other.scenario.settings = try #require(year.settings.last)
    let (lines, figures) = try await corrections(other, asOf: at(12, 11))
    #expect(figures.allSatisfy { $0["delta_milliunits"] == $0["corrected_milliunits"] })
    let changed = lines.filter { $0["cause"] == "program_version" }
    #expect(changed.contains { $0["metric"] == "recognised" && $0["restates_period"] == period(11) && $0["period"] == "2027-P01" })
  }

  // MARK: Reopening

  private static func expectReopening(_ scenario: Scenario) async throws {
    let (reason, last) = ("late file", period(11))
    func closing(_ login: String, _ clock: String) async throws -> PeriodClosing {
      PeriodClosing(context: try await scenario.login(login).context(asOf: clock))
    }
    let (ann, bob) = try await (closing("ann", at(12, 12)), closing("bob", at(12, 14)))
    for (period, reason, text) in [(last, " ", "a reason"), (period(10), reason, "the later period \(last) is closed")] {
      let refused = await refusal { _ = try await ann.reopen(period, by: Person(), reason: reason) }
      #expect(refused.contains(text), "\(refused)")
    }
    #expect(try await ann.reopen(last, by: Person(), reason: reason).isProposal)
    try await ann.end(last, .withdrawn, by: Person(), reason: "the wrong period")
    #expect(try await ann.reopen(last, by: Person(), reason: reason).isProposal)
    let own = await refusal { _ = try await ann.reopen(last, by: Person(), reason: reason) }
    #expect(own.contains("second person"), "\(own)")
    // A report of a clock between both acts shows the period as closed.
    _ = try await scenario.report(.coverage, formats: [.csv], asOf: at(12, 13))
    let late = await refusal { _ = try await closing("bob", at(12, 13)).reopen(last, by: Person(), reason: reason) }
    #expect(late.contains("a report as of \(at(12, 13)) was written already"), "\(late)")
    #expect(try await !bob.reopen(last, by: Person(), reason: "seen").isProposal)
    for (clock, state) in [(at(12, 8), "closed"), (at(12, 12), "reopen_proposed"), (at(12, 14), "open")] {
      #expect(
        try await PeriodCloseTests.status(scenario, asOf: clock, "state") == Array(repeating: "closed", count: 11) + [state], "\(clock)")
    }
    try await PeriodCloseTests.expectSignedTieouts(scenario, last, [at(12, 4), at(12, 4, hour: 6), at(12, 5)])
  }

  /// An opening balance that is missing from the signed figures counts as 0.
  private static func expectBrokenOpenings(_ scenario: Scenario) async throws {
    try await scenario.execute(
      """
      set session_replication_role = replica;
      delete from payrecon.period_figures where metric = 'gross opening' and currency = 'CNY';
      """)
    let edited = try await scenario.report(.restatement, formats: [.csv], asOf: at(12, 14))
    let broken = try edited.failures("restatement_identities.csv")
    #expect(broken.cells("identity period") == (1...11).map { "opening \(period($0))" })
  }
}
