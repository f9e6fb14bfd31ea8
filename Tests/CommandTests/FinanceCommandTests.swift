/// The command that downloads Apple's reports: its output and its exit status.
@Suite(.cleansUp) struct FinanceCommandTests {
  private static let vendor = "85000000"
  private static let asOf = "2026-05-11T16:00:00Z"

  private static func collect(_ setup: Setup, _ day: String) async throws -> Execution {
    try setup.wantSales(of: vendor, from: day, to: day)
    // Another test covers Apple's rate limit.
    if try await setup.query("select to_regclass('payrecon.api_budgets') is not null") == "t" {
      try await setup.query("delete from payrecon.api_budgets")
    }
    return try await setup.patiently(["collect", "finance"], asOf: asOf)
  }

  @Test func missingReportsEndWithStatus3AndAppStoreConnectMayHaveASeparateAddress() async throws {
    var setup = try await Setup()
    let store = try await setup.openAppStore()
    store.changeReports { reportStore in
      reportStore.vendors = [Self.vendor]
      reportStore.refusals[ReportStore.Key("SALES", vendor: Self.vendor, period: "2026-05-01")] = .forbidden
      for day in ["2026-05-02", "2026-05-03"] {
        reportStore.reports[ReportStore.Key("SALES", vendor: Self.vendor, period: day)] = FinanceFiles.sales(day)
      }
    }
    let taken = try await Self.collect(setup, "2026-05-02")
    let stated = "collect finance: 1 asked, 1 taken (0 restated), 0 without sales, 0 not ready; input 1 = accepted 1"
    #expect(taken.status == 0 && taken.text.hasPrefix(stated), "\(taken.text)\(taken.complaint)")
    // The server API is unreachable here.
    setup.program.environment["PAYRECON_APPSTORE_URL"] = "http://127.0.0.1:1"
    setup.program.environment["PAYRECON_APPSTORECONNECT_URL"] = store.url(.production)
    let separate = try await Self.collect(setup, "2026-05-03")
    #expect(separate.status == 0 && separate.text.hasPrefix("collect finance: 1 asked, 1 taken"), "\(separate.text)\(separate.complaint)")
    let missing = try await Self.collect(setup, "2026-05-01")
    #expect(missing.status == 3)
    #expect(missing.text.contains("\n  SALES 2026-05-01 of 85000000: forbidden (FORBIDDEN_ERROR"), "\(missing.text)")
    try await setup.program("doctor", prints: "App Store Connect key of 85000000: key_id is not ten capitals and digits")
    #expect(try await setup.program("collect", "refunds", "--again", "2026-P01").status == 64)
  }
}
