/// Apple's money reports are ingested once each. Every missing report is named with the remedy.
@Suite(.cleansUp) struct FinanceCollectTests {
  private static let vendor = ReportSetup.own

  private static func lines(_ setup: ReportSetup, asOf: String = ReportSetup.asOf) async throws -> [[String: String]] {
    try await setup.scenario.rows(.financeLines, asOf: asOf)
  }

  struct Answer: Sendable {
    var refusal: ReportStore.Refusal?
    var verdict: Verdict
    /// Outcome in the stored position; nil where none is stored.
    var outcome: String?
    /// A part of the message.
    var words: String
    /// Requests of a second run at the same clock.
    var askedAgain = 0
  }

  private static let answers = [
    Answer(refusal: .noSales, verdict: .clean, outcome: "no_sales", words: ""),
    Answer(refusal: .notReady, verdict: .pending, outcome: "not_ready", words: "SALES 2026-11-20 of 85000000: not ready yet; the next run"),
    Answer(refusal: .forbidden, verdict: .incomplete, outcome: "forbidden", words: "role Finance", askedAgain: 1),
    Answer(refusal: .wrongVendor, verdict: .incomplete, outcome: "wrong_vendor", words: "correct finance.accounts", askedAgain: 1),
    Answer(refusal: .outsideRetention, verdict: .warnings, outcome: "outside_retention", words: "payrecon ingest finance"),
    Answer(refusal: .unrecognized, verdict: .incomplete, words: "The moon is in the wrong house", askedAgain: 1),
  ]

  @Test("five answers without a report are five outcomes, and one that nobody knows is none of them", arguments: answers)
  func outcomes(_ answer: Answer) async throws {
    let setup = try await ReportSetup()
    setup.publish("SALES", "2026-11-19", FinanceFiles.sales("2026-11-19", units: 2))
    setup.refuse("SALES", "2026-11-20", answer.refusal)
    let first = try await setup.collect()
    #expect(first.verdict == answer.verdict)
    #expect(first.askCount == 2 && first.takenCount == 1 && first.tally == Tally(input: 1, accepted: 1))
    #expect(first.messages.count == (answer.words.isEmpty ? 0 : 1) && first.messages.allSatisfy { $0.contains(answer.words) })
    let expected = ["\(Self.vendor) SALES 2026-11-19 report 1"]
    #expect(try await setup.positions() == expected + (answer.outcome.map { ["\(Self.vendor) SALES 2026-11-20 \($0) 1"] } ?? []))
    #expect(try await Self.lines(setup).cells("transaction_date quantity") == ["2026-11-19 2"])
    // A second run at the same clock has the same verdict and requests only reports that may have changed.
    let second = try await setup.collect()
    #expect(second.verdict == answer.verdict && second.askCount == answer.askedAgain)
  }

  @Test("a day that is not there two days later is late, and one that comes late is taken") func late() async throws {
    let setup = try await ReportSetup()
    for day in ["2026-11-19", "2026-11-20"] { setup.refuse("SALES", day, .notReady) }
    #expect(try await setup.collect().verdict == .pending)
    let late = try await setup.collect(asOf: "2026-11-22T01:00:00Z")
    #expect(late.verdict == .incomplete && late.missing.count == 1 && late.missing[0].contains("2026-11-19 of 85000000: late"))
    #expect(late.waiting.count == 1)
    for day in ["2026-11-19", "2026-11-20"] {
      setup.refuse("SALES", day, nil)
      setup.publish("SALES", day, FinanceFiles.sales(day))
    }
    let last = try await setup.collect(asOf: "2026-11-22T03:00:00Z")
    #expect(last.verdict == .clean && last.takenCount == 2)
  }

  @Test("whoever may not have one report of a kind is not asked about the others; other kinds go on") func closed() async throws {
    let setup = try await ReportSetup(reports: ["FINANCE_DETAIL", "SALES"], from: "2026-10-30", to: "2026-11-01")
    for day in ["2026-10-30", "2026-10-31", "2026-11-01"] { setup.refuse("SALES", day, .forbidden) }
    setup.publish("FINANCE_DETAIL", "2027-P01", ReportSetup.detail(units: 1))
    let outcome = try await setup.collect()
    #expect(outcome.verdict == .incomplete && outcome.missing.count == 1 && outcome.askCount == 2)
    #expect(
      try await setup.positions() == ["\(Self.vendor) FINANCE_DETAIL 2027-P01 report 1", "\(Self.vendor) SALES 2026-10-30 forbidden 1"])
  }

  @Test("a period that is not settled is not one without sales; a corrected one stands beside the first, an equal one does not")
  func restated() async throws {
    let setup = try await ReportSetup(reports: ["FINANCE_DETAIL"], from: "2026-10-31")
    #expect(try await setup.collect(asOf: "2026-11-04T00:00:00Z").verdict == .pending)
    setup.publish("FINANCE_DETAIL", "2027-P01", ReportSetup.detail(units: 1))
    #expect(try await setup.collect(asOf: "2026-11-07T00:00:00Z").takenCount == 1)
    setup.publish("FINANCE_DETAIL", "2027-P01", ReportSetup.detail(units: 2))
    #expect(try await setup.collect(asOf: "2026-11-20T00:00:00Z").askCount == 0)
    let restated = try await setup.collect(asOf: "2026-11-22T01:00:00Z")
    #expect(restated.askCount == 1 && restated.restatedCount == 1 && restated.verdict == .clean)
    let late = "2026-12-17T01:00:00Z"
    setup.refuse("FINANCE_DETAIL", "2027-P02", .noSales)
    let equal = try await setup.collect(asOf: late)
    #expect(equal.takenCount == 1 && equal.restatedCount == 0 && equal.tally.input == 0)
    #expect(try await Self.lines(setup, asOf: late).cells("quantity is_current").sorted() == ["1 false", "2 true"])
    // Requested explicitly, the report is downloaded again and is equal.
    let again = try await setup.collect(again: ["2027-P01"], asOf: late)
    #expect(again.askCount == 1 && again.takenCount == 1 && again.restatedCount == 0)
    await #expect(throws: JobError.self) { try await setup.collect(again: ["2027-P13"], asOf: late) }
  }

  @Test("after an app transfer the month has two vendor numbers, and each counts; one that is wrong does not stop the other")
  func twoVendors() async throws {
    var setup = try await ReportSetup(reports: ["FINANCE_DETAIL"], from: "2026-10-01", to: "2026-10-10")
    setup.addVendor(ReportSetup.other, from: "2026-10-11")
    setup.publish("FINANCE_DETAIL", "2027-P01", ReportSetup.detail(units: 3))
    setup.publish("FINANCE_DETAIL", "2027-P01", vendor: ReportSetup.other, ReportSetup.detail(units: 5))
    setup.refuse("FINANCE_DETAIL", "2027-P01", .wrongVendor)
    let first = try await setup.collect()
    #expect(first.verdict == .incomplete && first.takenCount == 1)
    #expect(first.missing.count == 1 && first.missing[0].contains("of 85000000"))
    setup.refuse("FINANCE_DETAIL", "2027-P01", nil)
    let second = try await setup.collect()
    #expect(second.verdict == .clean && second.askCount == 1)
    #expect(try await Self.lines(setup).cells("quantity is_current").sorted() == ["3 true", "5 true"])
    #expect(
      try await setup.scenario.answers("select vendor || ' ' || region || ' ' || fiscal_period from payrecon.finance_files order by vendor")
        == ["85000000 Z1 2027-P01", "86000000 Z1 2027-P01"])
  }

  @Test(arguments: [
    (Fault.Kind.status(503), 1, Verdict.clean), (.status(503), 40, .incomplete), (.cutConnection(after: 20), 1, .clean),
    (.malformedJSON, 1, .incomplete), (.rateLimited(milliseconds: 60_000), 1, .clean), (.unauthenticated, 1, .failed),
    (.slowBody(bytes: 100, pause: 1), 1, .clean),
  ]) func `trouble on the way loses nothing and stores nothing by halves`(kind: Fault.Kind, count: Int, verdict: Verdict) async throws {
    let setup = try await ReportSetup()
    for day in ["2026-11-19", "2026-11-20"] { setup.publish("SALES", day, FinanceFiles.sales(day)) }
    setup.store.script(Fault(kind, endpoint: .salesReports, count: count))
    let first = try await setup.collect()
    #expect(first.verdict == verdict, "\(first.messages)")
    setup.store.clearFaults()
    #expect(try await setup.collect().verdict == .clean)
    #expect(try await Self.lines(setup).count == 2)
    #expect(try await setup.scenario.answers("select count(*)::text from payrecon.parked_items") == ["0"])
  }

  @Test("stopped at any question and started again, it ends where an undisturbed run ends and asks hardly anything twice")
  func resumes() async throws {
    var facts: [[String]] = []
    for stops in [[Int](), [1, 1], [2], [1, 2, 1]] {
      let setup = try await ReportSetup()
      for day in ["2026-11-19", "2026-11-20"] { setup.publish("SALES", day, FinanceFiles.sales(day)) }
      for stop in stops {
        let goal = setup.askCount + stop
        let run = Task { try await Self.patiently { try await setup.collect() } }
        while setup.askCount < goal, try await setup.positions().count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        run.cancel()
        _ = await run.result
      }
      let last = try await Self.patiently { try await setup.collect() }
      #expect(last.verdict == .clean)
      #expect(setup.askCount <= 2 + stops.count)
      facts.append(
        try await setup.scenario.answers(
          """
          select concat_ws(' ', report, period, outcome, bytes_sha256, content_sha256, requested_at, row_count)
          from payrecon.finance_downloads as download
          inner join payrecon.finance_files using (vendor, report)
          where bytes_sha256 = download.content_sha256
          order by 1
          """))
    }
    #expect(facts[0].count == 2 && Set(facts).count == 1)
  }

  /// Repeats `work` until the server notices that the session of a stopped run has ended.
  private static func patiently(_ work: () async throws -> FinanceOutcome) async throws -> FinanceOutcome {
    for _ in 0..<200 {
      do { return try await work() } catch let error as JobError where error.status == .lockHeld {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    return try await work()
  }

  @Test("a run asks for so many reports at most, and the next goes on with the oldest") func limit() async throws {
    let setup = try await ReportSetup()
    for day in ["2026-11-19", "2026-11-20"] { setup.publish("SALES", day, FinanceFiles.sales(day)) }
    let first = try await setup.collect(asksMax: 1)
    #expect(first.verdict == .incomplete && first.askCount == 1)
    #expect(first.missing == ["SALES 2026-11-20 of 85000000: not asked for yet; the next run goes on"])
    #expect(try await setup.collect(asksMax: 1).verdict == .clean)
    #expect(setup.askCount == 2)
  }

  @Test(arguments: [ReportStore.Refusal?.none, .notReady, .forbidden])
  func `what cannot be read is parked once, and asked for until it is read`(between: ReportStore.Refusal?) async throws {
    let setup = try await ReportSetup(to: "2026-11-19")
    setup.publish("SALES", "2026-11-19", "nothing that anybody knows\n")
    let first = try await setup.collect()
    #expect(first.verdict == .incomplete && first.missing.count == 1 && first.missing[0].contains("payrecon deadletter"))
    // No later answer makes up for the report, at the same clock or another.
    for asOf in [ReportSetup.asOf, "2026-11-22T16:00:00Z"] {
      setup.refuse("SALES", "2026-11-19", between)
      let again = try await setup.collect(asOf: asOf)
      let verdict = between == .notReady && asOf == ReportSetup.asOf ? Verdict.pending : .incomplete
      #expect(again.askCount == 1 && again.verdict == verdict, "\(again.messages)")
    }
    #expect(try await setup.scenario.answers("select kind from payrecon.parked_items") == ["finance"])
    setup.refuse("SALES", "2026-11-19", nil)
    // The report of another day is not the requested one, and nothing of it is stored.
    setup.publish("SALES", "2026-11-19", FinanceFiles.sales("2026-11-18"))
    let other = try await setup.collect(asOf: "2026-11-22T20:00:00Z")
    #expect(other.missing.count == 1 && other.missing[0].contains("it is SALES 2026-11-18, and SALES 2026-11-19 was requested"))
    #expect(try await Self.lines(setup, asOf: "2026-11-23T01:00:00Z").isEmpty)
    setup.publish("SALES", "2026-11-19", FinanceFiles.sales("2026-11-19"))
    let last = try await setup.collect(asOf: "2026-11-23T01:00:00Z")
    #expect(last.verdict == .clean && last.takenCount == 1 && last.restatedCount == 0)
    // The report has arrived, so nothing sent in its place remains open.
    #expect(try await setup.scenario.rows(.parked, asOf: "2026-11-23T01:00:00Z").allSatisfy { $0["state"] == "retried" })
  }

  @Test("what nobody got while Apple had it is said once and given up") func lapsed() async throws {
    let setup = try await ReportSetup()
    for day in ["2026-11-19", "2026-11-20"] { setup.refuse("SALES", day, .notReady) }
    _ = try await setup.collect()
    let late = try await setup.collect(asksMax: 0, asOf: "2027-11-20T16:00:00Z")
    #expect(late.lost.count == 1 && late.lost[0].hasPrefix("SALES 2026-11-19 of 85000000"))
    #expect(try await setup.positions().first == "\(Self.vendor) SALES 2026-11-19 outside_retention 1")
    #expect(try await setup.collect(asksMax: 0, asOf: "2027-11-20T17:00:00Z").lost.isEmpty)
  }

  @Test func nobodyToAsk() async throws {
    var setup = try await ReportSetup()
    setup.scenario.settings.finance.accounts = []
    let refused = await #expect(throws: JobError.self) { try await setup.collect() }
    #expect(refused?.status == .usage && refused?.hint?.contains("finance") == true)
  }
}
