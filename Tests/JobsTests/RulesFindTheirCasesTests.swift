/// Every rule finds its cases, in any order of the facts, and none of its named traps.
@Suite(.cleansUp) struct RulesFindTheirCasesTests {
  static let cases = RuleClaimCases.all + RulePatternCases.all + RuleFactCases.all

  @Test(arguments: cases) func rule(_ test: RuleCase) async throws { try await test.check() }

  @Test func everyRuleHasACaseThatFiresAndATrap() throws {
    for rule in try RuleCatalogue.read(TestServer.sql()).map(\.name) {
      let own = Self.cases.filter { $0.rule == rule }
      #expect(own.contains { !$0.found.isEmpty }, "\(rule)")
      #expect(own.contains { $0.found.isEmpty && $0.name.hasPrefix("trap") }, "\(rule)")
    }
  }

  @Test func everyRuleFileHasPurposeTrapsAndParameters() throws {
    let sql = try TestServer.sql()
    let rules = try RuleCatalogue.read(sql)
    #expect(sql.paths.filter { $0.contains(/^rules\/r\d\d_/) } == rules.map { "rules/\($0.file).sql" })
    for rule in rules {
      let text = try sql.text("rules/\(rule.file).sql")
      #expect(text.hasPrefix("-- purpose: \(rule.name) "), "\(rule.name)")
      #expect(text.contains("-- traps: "), "\(rule.name)")
      let names = try Set(sql(rule.statement).parameterNames).subtracting(["version", "as_of", "bundles", "starts"])
      #expect(names == Set(rule.shipped.parameters.keys), "\(rule.name)")
    }
  }

  @Test func `the later of two open requests counts, and its deadline is the due time of the case`() async throws {
    let bought = ApplePurchase("100", at: "2026-05-10T10:00:00Z")
    let world = RuleCase(
      rule: "R20", orders: [TestOrder("PO-1", at: "2026-05-10T10:00:00Z", names: "100")],
      evidence: ["2026-05-11T10:00:00Z", "2026-05-12T04:00:00Z"].map {
        Scenario.notification("CONSUMPTION_REQUEST", uuid: "n-\($0)", bought, signedAt: $0)
      })
    let scenario = try await world.load()
    for (clock, detail) in [
      ("2026-05-12T12:00:00Z", "Apple asked 2026-05-12T04:00:00Z again, an answer is due by 2026-05-12T16:00:00Z"),
      ("2026-05-12T17:00:00Z", "Apple asked 2026-05-12T04:00:00Z, no answer by 2026-05-12T16:00:00Z"),
    ] {
      try await scenario.decide(asOf: clock)
      #expect(try await scenario.rows(.signals, asOf: clock).map { $0["detail"] } == [detail])
      #expect(try await scenario.rows(.cases, asOf: clock).map { $0["due_at"] } == ["2026-05-12T16:00:00Z"])
    }
  }

  /// Another app may have a subscription with the same original transaction id.
  @Test func accountSharingNamesTheChargeOfItsApp() async throws {
    func month(app: String, price: Int64, at: String) -> ApplePurchase {
      .month("200", original: "200", lineItem: "20", at: at, until: "2026-06-05T10:00:00Z", price: price).with { $0.bundleID = app }
    }
    let apps = [("com.acme.kids", "K", Int64(99_000), "06"), ("com.acme.reader", "U", 25_000, "05")]
    let world = RuleCase(
      rule: "R02",
      evidence: apps.flatMap { app, letter, price, day in
        let signed = month(app: app, price: price, at: "2026-05-\(day)T10:00:00Z").jws
        return (1...4).map { Scenario.upload(signed, user: "\(letter)\($0)", device: "\(letter)\($0)", at: "2026-05-10T1\($0):00:00Z") }
      })
    let scenario = try await world.load()
    try await scenario.decide(asOf: world.asOf)
    let signals = try await scenario.rows(.signals, asOf: world.asOf)
    #expect(signals.cells("bundle_id amount_milliunits").sorted() == ["com.acme.kids 99000", "com.acme.reader 25000"])
  }

  /// The tie-out's break is inserted by hand, because R11 evaluates the break regardless of its source.
  @Test(arguments: [("2026-07-20T12:00:00Z", ["R11 charge"]), ("2026-05-30T12:00:00Z", [])])
  func uncollectedInNoSettledReport(_ asOf: String, _ found: [String]) async throws {
    let world = RuleCase(
      rule: "R11", asOf: asOf, orders: [TestOrder("PO-1", at: "2026-05-10T10:00:00Z", names: "100")],
      evidence: [ApplePurchase("100", at: "2026-05-10T10:00:00Z").jws])
    let scenario = try await world.load()
    try await scenario.decide(asOf: asOf)
    try await scenario.execute(
      """
      with decided as (
        insert into payrecon.break_events (
          break_id, attempt, family, subject_id, class, severity, charge_id, detail, run_id, amount_milliunits, currency,
          is_open, as_of, opened_at)
        select 'tie', 1, 'tieout', 'charge:' || charge_id, 'NEVER_COLLECTED', 'medium', charge_id, '"in no cell"', 'test',
          price_milliunits, currency, true, '\(asOf)', '2026-05-10T10:00:00Z'
        from payrecon.charges
        returning *
      )
      insert into payrecon.open_breaks (break_id, subject_id, attempt, as_of)
      select break_id, subject_id, attempt, as_of from decided
      """)
    let trial = try RuleTrial(context: try scenario.context(asOf: asOf), rules: ["R11"], isShadow: false)
    _ = try await trial.run(isDryRun: false)
    #expect(try await RuleCase.open(scenario, asOf: asOf) == found)
    // Detect did not find the break and does not resolve it.
    try await scenario.decide(asOf: asOf)
    #expect(try await RuleCase.open(scenario, asOf: asOf) == found)
  }
}
