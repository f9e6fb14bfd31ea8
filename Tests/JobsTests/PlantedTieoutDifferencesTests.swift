import FoundationEssentials

/// The generated world of three fiscal periods is the oracle of the tie-out. Each planted difference is named in its cell, and no
/// other.
@Suite(.cleansUp) struct PlantedTieoutDifferencesTests {
  private static let asOf = "2026-11-02T00:00:00Z"
  private static let charges = 1500
  private static let periods = ["2026-P10", "2026-P11", "2026-P12"]

  @Test func everyCauseIsNamedInItsCellInAnyOrderOfInput() async throws {
    let scenario = try await Self.scenario()
    let world = "\(scenario.directory)/world"
    _ = try await World.writeMoney(seed: 1, charges: Self.charges, directory: world)
    try scenario.trustWorld(world)
    try await Self.load(world, into: scenario)
    try await Self.decideDuplicates(world, scenario)
    let stated = try await Self.tieOut(scenario)

    let truth = try Self.planted(world)
    let found = try await Self.found(scenario)
    for kind in ["cell", "apart", "share"] {
      #expect(truth[kind, default: [:]].count >= 3)
      let (planted, named) = (truth[kind, default: [:]], found[kind, default: [:]])
      #expect(planted.filter { named[$0.key] != $0.value } == [:], "planted and not named: \(kind)")
      #expect(named.filter { planted[$0.key] != $0.value } == [:], "named and not planted: \(kind)")
    }
    try await CellSums.expect(scenario, asOf: Self.asOf)
    let report = try await scenario.report(.tieout, asOf: Self.asOf)
    try Self.expectPayments(world, report)
    try await Self.expectCoverage(scenario, stated)
    try await FigureWalk.expect(
      scenario, .tieout, least: [.coverage: 60, .regions: 60, .bridge: 200, .identities: 150, .files: 10], asOf: Self.asOf)
    try await FigureWalk.expect(scenario, .restatement, least: [.restatement: 20], asOf: Self.asOf)

    // The same facts in another order, in parts and with repeats.
    let other = try await Self.scenario()
    try other.trustWorld(world)
    try await Self.load(world, into: other, isShuffled: true)
    try await Self.decideDuplicates(world, other)
    try await Self.tieOut(other)
    for list in [ExportList.cells, .payments, .proceeds] {
      #expect(try await scenario.export(list, asOf: Self.asOf) == other.export(list, asOf: Self.asOf), "\(list)")
    }
    let bridges = [report, try await other.report(.tieout, asOf: Self.asOf)].map { files in
      files.filter { ["tieout_bridge.csv", "tieout_regions.csv", "coverage.csv"].contains($0.name) }.map(\.text)
    }
    #expect(bridges[0].count == 3)
    #expect(bridges[0] == bridges[1])
  }

  // MARK: Loading

  private static func scenario() async throws -> Scenario {
    var scenario = try await Scenario()
    scenario.settings.finance.vendors = ["85000000"]
    scenario.settings.finance.developers = ["Acme Ltd"]
    scenario.settings.finance.taxes = [("JPN", 1000), ("DEU", 1900)].map {
      FinanceSettings.Rate(storefront: $0.0, programme: nil, validFrom: "2020-01-01", basisPoints: $0.1)
    }
    return scenario
  }

  private static func load(_ world: String, into scenario: Scenario, isShuffled: Bool = false) async throws {
    var steps: [(InputKind, [String])] = [
      (.catalogue, ["\(world)/inbox/catalogue.csv"]), (.orders, try files("orders.csv", world, scenario, isShuffled)),
      (.apple, try files("apple.ndjson", world, scenario, isShuffled)), (.finance, try finance(world)),
      (.bank, ["\(world)/bank/credits.csv"]),
    ]
    if isShuffled { steps = steps.reversed().map { ($0.0, $0.1.reversed()) } + [steps[3], steps[4]] }
    for (kind, paths) in steps {
      let outcome = try await scenario.ingest(kind, files: paths, asOf: asOf)
      #expect(outcome.refusedFiles.map(\.reason) == [])
      #expect(outcome.tally.parked == 0)
    }
    try await scenario.decide(asOf: asOf)
  }

  /// Returns the reports of the three periods, and the daily reports of one of them.
  private static func finance(_ world: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(world)/finance").sorted()
      .filter { $0.hasPrefix("8500") || $0.hasPrefix("financial_report") || $0.contains("20260715") }.map { "\(world)/finance/\($0)" }
  }

  /// Returns a file unchanged, or two files with its lines in another order, where the second repeats some of the first.
  private static func files(_ name: String, _ world: String, _ scenario: Scenario, _ isShuffled: Bool) throws -> [String] {
    let path = "\(world)/inbox/\(name)"
    guard isShuffled else { return [path] }
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let header = name.hasSuffix(".csv") ? [lines.removeFirst()] : []
    let step = 7
    let shuffled = (0..<step).flatMap { first in stride(from: first, to: lines.count, by: step).map { lines[$0] } }
    return try [shuffled[..<(shuffled.count * 2 / 3)], shuffled[(shuffled.count / 2)...]].enumerated().map { number, part in
      try scenario.write("\(number)-\(name)", (header + part).joined(separator: "\n") + "\n")
    }
  }

  /// Decides with two people that the duplicated orders are benign duplicates.
  private static func decideDuplicates(_ world: String, _ scenario: Scenario) async throws {
    let charges = try await scenario.rows(.charges, asOf: asOf)
    let breaks = try await scenario.rows(.breaks, asOf: asOf).filter { $0["class"] == "PAID_NOT_DELIVERED" }
    let cases = try await scenario.rows(.cases, asOf: asOf).filter { $0["names"]?.contains("PAID_NOT_DELIVERED") == true }
    let duplicates = try table("\(world)/truth/duplicates.csv")
    #expect(duplicates.count >= periods.count)
    #expect(breaks.count == duplicates.count)
    let job = try scenario.cases(asOf: asOf)
    let second = try await scenario.login("bob").cases(asOf: asOf)
    for row in duplicates {
      let user = breaks.first { $0["order_id"] == row["order_id"] }?["user_id"]
      let id = try #require(cases.first { $0["user_id"] == user }?["case_id"])
      var decision = CaseDecision(action: .benignDuplicate, outcome: .falsePositive, reason: "one purchase, reported twice")
      decision.orderID = row["order_id"]
      decision.chargeID = charges.first { $0["transaction_ids"] == row["transaction_id"] }?["charge_id"]
      #expect(try await job.take(id, deciding: decision, by: .ann).needsSecondPerson)
      try await second.conclude(id, .approved, by: .bob, reason: "seen")
    }
    try await scenario.decide(asOf: asOf)
  }

  @discardableResult
  private static func tieOut(_ scenario: Scenario) async throws -> [String: String] {
    var stated: [String: String] = [:]
    for period in periods {
      for row in try await scenario.tieOut(period, asOf: asOf).coverage {
        stated["\(period) \(row.currency)"] = "\(row.units)"
      }
    }
    return stated
  }

  private static func expectCoverage(_ scenario: Scenario, _ stated: [String: String]) async throws {
    let rows = try #require(try await FigureWalk.tables(.coverage, scenario, asOf: asOf)["coverage"])
    let reported = Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let units = ["proved", "explained", "unexplained", "not_yet_settled"].map { Int64(row["\($0)_units"] ?? "") ?? -1 }
        let named = (proved: units[0], explained: units[1], unexplained: units[2], open: units[3])
        return ("\(row["fiscal_period"] ?? "") \(row["currency"] ?? "")", "\(named)")
      })
    #expect(stated.count > 10)
    #expect(stated == reported)
  }

  // MARK: Comparing

  /// Units by kind of finding, and by cell and cause.
  private typealias Findings = [String: [String: Int]]

  private static func planted(_ world: String) throws -> Findings {
    try table("\(world)/truth/cells.csv").reduce(into: Findings()) { truth, row in
      let (cause, foundAs) = (row["cause"] ?? "", row["found_as"] ?? "")
      let isCell = ["explained", "open", "unexplained"].contains(foundAs)
      let key = cell(row) + " " + (foundAs == "open" || foundAs == "unexplained" ? foundAs : cause)
      truth[isCell ? "cell" : foundAs, default: [:]][key, default: 0] += Int(row["units"] ?? "") ?? 0
    }
  }

  private static func found(_ scenario: Scenario) async throws -> Findings {
    try await scenario.rows(.cells, asOf: asOf).reduce(into: Findings()) { found, row in
      let words =
        (1...18).map { ("explained_T\($0)_units", "T\($0)") }
        + [("unexplained_units", "unexplained"), ("not_yet_settled_units", "open")]
      for (column, word) in words {
        guard let units = Int(row[column] ?? ""), units != 0 else { continue }
        found["cell", default: [:]]["\(cell(row)) \(word)"] = units
      }
      for part in (row["counted_apart"] ?? "").split(separator: ", ") {
        let words = part.split(separator: " ")
        guard let cause = ["sandbox": "T11", "family": "T15"][words[0]] else { continue }
        found["apart", default: [:]]["\(cell(row)) \(cause)"] = Int(words[1])
      }
      // Units at the greater of two shares come last. An average share is unreliable.
      let shares = (row["unit_shares"] ?? "").split(separator: ", ")
      if row["share_basis"] == "actual", row["sign"] == "1", shares.count == 2 {
        found["share", default: [:]]["\(cell(row)) T8"] = shares[1].split(separator: " ").last.flatMap { Int($0) }
      }
    }
  }

  private static func cell(_ row: [String: String]) -> String {
    ["fiscal_period", "sku", "storefront", "customer_currency", "transaction_day", "customer_price", "sign"]
      .map { row[$0] ?? "" }.joined(separator: " ")
  }

  /// Lines of the bridge with planted payment amounts.
  private static let lines = [
    "rounding": "52", "tax": "32", "input_tax": "39", "adjustments": "40", "withholding_tax": "41", "brought_forward": "38",
    "carried_forward": "42",
  ]

  /// Verifies that each planted amount between earned and bank is on its line of the bridge, and that every currency closes.
  private static func expectPayments(_ world: String, _ report: ReportFiles) throws {
    var truth: [String: Decimal] = [:]
    for row in try table("\(world)/truth/payments.csv") {
      let key = "\(row["fiscal_period"] ?? "") \(lines[row["kind"] ?? ""] ?? "?") \(row["currency"] ?? "")"
      truth[key, default: 0] += Decimal(string: row["amount"] ?? "") ?? 0
    }
    var stated: [String: Decimal] = [:]
    var banks: [String] = []
    for row in try report.rows("tieout_bridge.csv") {
      let (period, number, currency) = (row["fiscal_period"] ?? "", row["line_no"] ?? "", row["currency"] ?? "")
      let amount = Decimal(string: row["amount"] ?? "") ?? 0
      if lines.values.contains(number), amount != 0 { stated["\(period) \(number) \(currency)"] = amount }
      if number == "54" { #expect(amount == 0, "\(row)") }
      if number == "55" { banks.append("\(period) \(currency)") }
    }
    #expect(stated == truth)
    #expect(banks.sorted() == periods.flatMap { ["\($0) CNY", "\($0) HKD"] })
    let identities = try report.rows("tieout_identities.csv")
    #expect(identities.count > 19 && identities.allSatisfy { $0["holds"] == "yes" }, "\(identities)")
  }

  private static func table(_ path: String) throws -> [[String: String]] {
    CSVRows.decode(Array(try Data(contentsOf: URL(filePath: path))))
  }
}
