/// The reports that are requested at a clock, and those that are not requested again.
@Suite struct ReportPlanTests {
  private static let calendar = [
    ("2026-P11", "2026-08-02", "2026-08-29"), ("2026-P12", "2026-08-30", "2026-09-26"), ("2027-P01", "2026-09-27", "2026-10-31"),
    ("2027-P02", "2026-11-01", "2026-11-28"),
  ].map { FiscalPeriod($0.0, startsOn: day($0.1), endsOn: day($0.2)) }

  private static func day(_ text: String) -> CivilDate { CivilDate(text) ?? CivilDate(daysSince1970: 0) }

  private static func plan(
    _ reports: [ConnectReport], from: String? = nil, to: String? = nil, again: Set<String> = [], asOf: String
  ) -> ReportPlan {
    ReportPlan(
      reports: reports, vendor: "85000000", from: from.map(day), to: to.map(day), calendar: calendar, again: again, asOf: instant(asOf))
  }

  @Test(
    "a day is asked about from 5 in the morning on in California, a fiscal period from the Wednesday after it",
    arguments: [
      ("2026-11-21T12:59:00Z", "2026-11-19", nil, "SALES 2026-11-19"),
      ("2026-11-21T13:00:00Z", "2026-11-19", nil, "SALES 2026-11-19, SALES 2026-11-20"),
      ("2026-11-21T13:00:00Z", "2026-11-18", "2026-11-18", "SALES 2026-11-18"),
      ("2026-11-21T13:00:00Z", "2027-01-01", nil, ""),
    ]) func days(asOf: String, from: String, to: String?, expected: String)
  {
    let plan = Self.plan([.sales], from: from, to: to, asOf: asOf)
    #expect(plan.queries.map { "\($0.query.report.rawValue) \($0.query.period)" }.joined(separator: ", ") == expected)
  }

  @Test(
    "fiscal periods: whichever holds one of the days, oldest first; two vendor numbers share the month of a transfer",
    arguments: [
      ("2026-11-03T23:59:00Z", "2026-08-29", nil, ["2026-P11", "2026-P12"]),
      ("2026-11-04T00:00:00Z", "2026-08-29", nil, ["2026-P11", "2026-P12", "2027-P01"]),
      ("2026-11-04T00:00:00Z", "2026-08-29", "2026-10-10", ["2026-P11", "2026-P12", "2027-P01"]),
      ("2026-11-04T00:00:00Z", "2026-10-10", nil, ["2027-P01"]),
      ("2026-11-04T00:00:00Z", "2026-08-29", "2026-09-26", ["2026-P11", "2026-P12"]),
    ]) func periods(asOf: String, from: String, to: String?, expected: [String])
  {
    #expect(Self.plan([.financeDetail], from: from, to: to, asOf: asOf).queries.map(\.query.period) == expected)
  }

  @Test("nothing is asked about that Apple keeps no longer, and a year back when nothing is said") func retention() {
    let all = Self.plan([.sales], from: "2020-01-01", asOf: "2026-11-21T13:00:00Z").queries
    #expect(all.first?.query.period == "2025-11-21" && all.last?.query.period == "2026-11-20" && all.count == 365)
    #expect(Self.plan([.sales], asOf: "2026-11-21T13:00:00Z").queries.count == 365)
    #expect(ConnectReport.financial.schedule.retentionDays == 3650)
  }

  /// Knowledge of a report of 2026-11-10, or of 2027-P01, which ended on 2026-10-31.
  struct Case: Sendable {
    var report = ConnectReport.sales
    var outcome = ConnectOutcome.report
    var askedAt: String
    var isTaken = false
    var asOf: String
    var isDue: Bool
  }

  private static let cases = [
    // A downloaded report is requested again once on the third and once on the thirtieth day.
    Case(askedAt: "2026-11-11T14:00:00Z", isTaken: true, asOf: "2026-11-13T23:59:00Z", isDue: false),
    Case(askedAt: "2026-11-11T14:00:00Z", isTaken: true, asOf: "2026-11-14T00:00:00Z", isDue: true),
    Case(askedAt: "2026-11-14T00:00:00Z", isTaken: true, asOf: "2026-12-10T00:00:00Z", isDue: false),
    Case(askedAt: "2026-11-14T00:00:00Z", isTaken: true, asOf: "2026-12-11T00:00:00Z", isDue: true),
    Case(askedAt: "2026-12-11T00:00:00Z", isTaken: true, asOf: "2027-10-01T00:00:00Z", isDue: false),
    // A later answer does not change this.
    Case(outcome: .noSales, askedAt: "2026-11-14T00:00:00Z", isTaken: true, asOf: "2026-11-20T00:00:00Z", isDue: false),
    // The answer "no sales" is final from the third day on.
    Case(outcome: .noSales, askedAt: "2026-11-11T14:00:00Z", asOf: "2026-11-11T14:59:00Z", isDue: false),
    Case(outcome: .noSales, askedAt: "2026-11-11T14:00:00Z", asOf: "2026-11-12T14:00:00Z", isDue: true),
    Case(outcome: .noSales, askedAt: "2026-11-14T00:00:00Z", asOf: "2026-11-20T14:00:00Z", isDue: false),
    Case(outcome: .notReady, askedAt: "2026-11-20T00:00:00Z", asOf: "2026-11-20T00:30:00Z", isDue: false),
    Case(outcome: .notReady, askedAt: "2026-11-20T00:00:00Z", asOf: "2026-11-20T01:00:00Z", isDue: true),
    Case(outcome: .forbidden, askedAt: "2026-11-20T00:00:00Z", asOf: "2026-11-20T00:00:00Z", isDue: true),
    Case(outcome: .wrongVendor, askedAt: "2026-11-20T00:00:00Z", asOf: "2026-11-20T00:00:00Z", isDue: true),
    Case(outcome: .outsideRetention, askedAt: "2026-11-11T14:00:00Z", asOf: "2026-11-20T00:00:00Z", isDue: false),
    // A report that could not be read is requested by every run, whether an earlier version of it was stored or not.
    Case(outcome: .refused, askedAt: "2026-11-20T00:00:00Z", asOf: "2026-11-20T00:00:00Z", isDue: true),
    Case(outcome: .refused, askedAt: "2026-11-14T00:00:00Z", isTaken: true, asOf: "2026-11-20T00:00:00Z", isDue: true),
    // In a fiscal period, "no sales" is final after three weeks. A report is requested again after the payment.
    Case(report: .financial, outcome: .noSales, askedAt: "2026-11-20T00:00:00Z", asOf: "2026-11-21T00:00:00Z", isDue: true),
    Case(report: .financial, outcome: .noSales, askedAt: "2026-11-22T00:00:00Z", asOf: "2026-11-23T00:00:00Z", isDue: false),
    Case(report: .financial, askedAt: "2026-11-06T00:00:00Z", isTaken: true, asOf: "2026-11-21T00:00:00Z", isDue: false),
    Case(report: .financial, askedAt: "2026-11-06T00:00:00Z", isTaken: true, asOf: "2026-11-22T00:00:00Z", isDue: true),
    Case(report: .financial, askedAt: "2026-11-22T00:00:00Z", isTaken: true, asOf: "2026-12-17T00:00:00Z", isDue: true),
  ]

  @Test("only what is not there is asked for, and what Apple may have corrected", arguments: cases) func due(_ test: Case) {
    let query = ConnectQuery(test.report, vendor: "85000000", period: test.report.isFiscal ? "2027-P01" : "2026-11-10")
    let lastDay = Self.day(test.report.isFiscal ? "2026-10-31" : "2026-11-10")
    let position = ReportPosition(test.outcome, askedAt: instant(test.askedAt), contentSHA256: test.isTaken ? "abc" : nil)
    #expect(Self.plan([test.report], asOf: test.asOf).isDue(query, lastDay: lastDay, position) == test.isDue, "\(test)")
    #expect(Self.plan([test.report], again: [query.period], asOf: test.asOf).isDue(query, lastDay: lastDay, position))
    #expect(Self.plan([test.report], asOf: test.asOf).isDue(query, lastDay: lastDay, nil))
  }

  @Test func lateness() {
    let day = ConnectQuery(.sales, vendor: "85000000", period: "2026-11-10")
    #expect(!Self.plan([.sales], asOf: "2026-11-12T23:59:00Z").isLate(day, lastDay: Self.day("2026-11-10")))
    #expect(Self.plan([.sales], asOf: "2026-11-13T00:00:00Z").isLate(day, lastDay: Self.day("2026-11-10")))
  }
}
