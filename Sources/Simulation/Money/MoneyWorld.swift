public import Domain

extension World {
  private static let storiesPerChunk = 256
  /// Minimum number of charges at which every cause is planted.
  public static let leastMoneyCharges = 500

  public struct MoneySummary: Sendable, CustomStringConvertible {
    /// The as-of of the truth.
    public let asOf: Timestamp
    public let charges: Int
    /// Number of FINANCE_DETAIL lines in all periods.
    public let lines: Int
    /// Planted units by cause; units in a pair of cells count once in each.
    public let planted: [String: Int64]

    public var description: String {
      let causes = planted.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }.map { "\($0.key) \($0.value)" }
      return "\(charges) charges, \(lines) lines of FINANCE_DETAIL, planted: \(causes.joined(separator: ", ")) as of \(asOf.rfc3339)"
    }
  }

  /// Writes three fiscal periods of charges and orders, Apple's reports about their money, and the causes of the differences.
  ///
  /// The folders are `inbox` (inputs), `finance` (Apple's files), `bank` (credits) and `truth`:
  /// - `cells.csv`: each planted cause by cell;
  /// - `payments.csv`: the causes between earned and bank amounts;
  /// - `duplicates.csv`: the charges that two reviewers must mark as benign duplicates before the tie-out.
  ///
  /// The same seed and size give the same bytes.
  /// - Parameters:
  ///   - charges: number of stories, each with one or a few charges, from `leastMoneyCharges` to `mostOrders`.
  ///   - firstCase: number of the first story. Worlds with other numbers have other ids, so one database can contain both.
  /// - Throws: `SimulationError` when the size is out of range or a file cannot be written.
  public static func writeMoney(seed: UInt64, charges: Int, firstCase: Int = 0, directory: String) async throws -> MoneySummary {
    guard (leastMoneyCharges...mostOrders).contains(charges), (0...mostOrders).contains(firstCase) else {
      throw SimulationError(
        description: "cannot make a money world of \(charges) charges: it takes \(leastMoneyCharges) to \(mostOrders), "
          + "from a first case of 0 to \(mostOrders), not \(firstCase); choose another number")
    }
    let signers = try begin(
      directory, folders: ["inbox", "roots", "finance", "bank", "truth"], seed: seed, settings: moneySettings)
    let orders = try OutputFile("\(directory)/inbox/orders.csv", header: Order.header)
    let evidence = try OutputFile("\(directory)/inbox/apple.ndjson")
    let duplicates = try OutputFile("\(directory)/truth/duplicates.csv", header: "order_id,transaction_id\n")
    let stories = MoneyPlan(seed: seed, charges: charges).stories
    var whole = MoneyOutput()
    var chargeCount = 0
    try await OrderedChunks.run(stories.count, by: storiesPerChunk) { indexes in
      moneyChunk(indexes, stories, seed: seed, signers: signers, firstCase: firstCase)
    } take: { files, money in
      try orders.write(files.orders.bytes)
      try evidence.write(Array(files.evidence.joined()))
      try duplicates.write(money.duplicates.bytes)
      chargeCount += files.counts.charges
      whole.add(money)
    }
    let lines = try writeReports(whole, directory)
    let planted = whole.planted.reduce(into: [String: Int64]()) { $0[$1.key.cause, default: 0] += abs($1.value) }
    return MoneySummary(asOf: Timestamp(milliseconds: FiscalSpan.asOf.milliseconds), charges: chargeCount, lines: lines, planted: planted)
  }

  private static func moneyChunk(
    _ indexes: Range<Int>, _ stories: [MoneyPlan.Story], seed: UInt64, signers: Signers, firstCase: Int
  ) -> (CaseOutput, MoneyOutput) {
    var files = CaseOutput()
    var money = MoneyOutput()
    for index in indexes {
      var builder = MoneyBuilder(story: CaseBuilder(index: firstCase + index, seed: seed, signers: signers, output: files), money: money)
      files = CaseOutput()
      money = MoneyOutput()
      builder.write(stories[index])
      files = builder.story.output
      money = builder.money
    }
    return (files, money)
  }

  /// Writes Apple's files, bank credits and the truth. Returns the number of FINANCE_DETAIL lines.
  private static func writeReports(_ money: MoneyOutput, _ directory: String) throws -> Int {
    let earned = money.earned.sorted { $0.key < $1.key }.map { (line: $0.key, units: $0.value) }
    let vendor = EarnedReports.vendor
    for (period, span) in FiscalSpan.periods.enumerated() {
      let lines = earned.filter { $0.line.period == period }
      let label = "2026-\(span.number)"
      try OutputFile("\(directory)/finance/\(vendor)_\(label)_Z1.txt").write(EarnedReports.detail(period, lines))
      for region in Set(Tariff.terms.map(\.region)).sorted() {
        try OutputFile("\(directory)/finance/\(vendor)_\(label)_\(region).txt")
          .write(EarnedReports.financial(period, region: region, lines))
      }
    }
    let trends = Dictionary(grouping: money.trends.map { (line: $0.key, units: $0.value) }) { $0.line.day }
    for day in FiscalSpan.days {
      let lines = (trends[day] ?? []).sorted { $0.line < $1.line }
      let label = FiscalSpan.text(day).replacing("-", with: "")
      try OutputFile("\(directory)/finance/S_D_1_\(vendor)_\(label).txt").write(TrendReports.sales(lines))
      try OutputFile("\(directory)/finance/Subscriber_\(vendor)_\(label).txt").write(TrendReports.subscriber(lines))
      try OutputFile("\(directory)/finance/Subscription_Event_\(vendor)_\(label).txt").write(TrendReports.events(lines))
    }
    let payouts = Payouts(earned)
    for (period, span) in FiscalSpan.periods.enumerated() {
      try OutputFile("\(directory)/finance/financial_report_\(span.name).csv").write(payouts.page(period))
    }
    try OutputFile("\(directory)/bank/credits.csv").write(payouts.bank())
    try OutputFile("\(directory)/truth/cells.csv").write(MoneyTruth.cells(money.planted))
    try OutputFile("\(directory)/truth/payments.csv").write(MoneyTruth.payments(payouts, earned))
    return earned.count
  }

  private static var moneySettings: TextBuffer {
    var text = settings([])
    // The clock is weeks after the newest sale, because Apple pays that late.
    text.add("inputs: {orders: {max_age: 90d}, apple: {max_age: 90d}}\n")
    text.add("finance:\n  vendors: [\"\(EarnedReports.vendor)\"]\n  developers: [\(EarnedReports.developer)]\n  tax:\n")
    for (store, terms) in zip(Storefront.all, Tariff.terms) where terms.tax > 0 {
      text.add("    - {storefront: \(store.country), valid_from: 2020-01-01, percent: \(terms.tax)}\n")
    }
    return text
  }
}
