import AppStoreSimulator
import FoundationEssentials
import Glibc
import Testing
import TestSupport

/// The command that downloads Apple's reports: its output, its exit status, and no loss after a kill at any point.
@Suite(.cleansUp) struct FinanceCommandTests {
  private static let vendor = "85000000"
  private static let asOf = "2026-05-11T16:00:00Z"
  private static let kills = 6

  /// Returns the SALES report of a day with one unit of one product.
  private static func sales(_ day: Int) -> String {
    let date = "05/0\(day)/2026"
    return "SKU\tProduct Type Identifier\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\t"
      + "Currency of Proceeds\tApple Identifier\tCustomer Price\ncoins60\tIA1\t1\t4.20\t\(date)\t\(date)\tCNY\tCN\tCNY\t1500\t6.00\n"
  }

  private static func settings(_ desk: Desk, day: Int, to last: Int? = nil) throws {
    try desk.wantSales(of: vendor, from: "2026-05-0\(day)", to: "2026-05-0\(last ?? day)")
  }

  private static func collect(_ desk: Desk, kill: Program.Kill = .never) async throws -> Execution {
    // Another test covers Apple's rate limit.
    if try await desk.query("select to_regclass('payrecon.api_budgets') is not null") == "t" {
      try await desk.query("delete from payrecon.api_budgets")
    }
    return try await desk.patiently { try await desk.program("collect", "finance", "--as-of", asOf, kill: kill) }
  }

  @Test func killedDownloadResumes() async throws {
    var desk = try await Desk()
    let store = try await desk.openAppStore()
    for day in 1...9 {
      store.changeReports { shelf in
        shelf.vendors = [Self.vendor]
        shelf.reports[ReportStore.Key("SALES", vendor: Self.vendor, period: "2026-05-0\(day)")] = Self.sales(day)
      }
    }
    try Self.settings(desk, day: 1)
    #expect(try await desk.program("init").status == 0)
    let calm = try await Self.collect(desk)
    #expect(calm.status == 0, "\(calm.complaint)")
    let stated = "collect finance: 1 asked, 1 taken (0 restated), 0 without sales, 0 not ready; input 1 = accepted 1"
    #expect(calm.text.hasPrefix(stated), "\(calm.text)")
    try #require(calm.points > Self.kills)
    var killCount = 0
    for number in 1...Self.kills {
      try Self.settings(desk, day: number + 1)
      let killed = try await Self.collect(desk, kill: .at(point: calm.points * number / (Self.kills + 1)))
      if killed.signal == SIGKILL { killCount += 1 }
      let rest = try await Self.collect(desk)
      #expect(rest.status == 0, "point \(number): \(rest.complaint)")
    }
    #expect(killCount >= Self.kills / 2)
    #expect(
      try await desk.query(
        """
        select (select count(*) from payrecon.finance_downloads where outcome = 'report')
          || ' ' || (select count(*) from payrecon.finance_files) || ' ' || (select count(*) from payrecon.finance_lines)
          || ' ' || (select sum(accepted_count) from payrecon.batches where kind = 'finance')
          || ' ' || (select count(*) from payrecon.parked_items)
        """) == "7 7 7 7 0")
    await store.stop()
  }

  /// A month of 30.00 that Apple extended by 15 days after half of it. The second half is spread over the remaining days, exact to
  /// the unit.
  @Test func anExtensionIsSpreadOverTheLongerTerm() async throws {
    let desk = try await Desk()
    let month = ApplePurchase.month(
      "470001000000001", original: "470001000000001", lineItem: "9700001", at: "2026-04-20T10:00:00Z", until: "2026-05-20T10:00:00Z",
      price: 30_000)
    let stated = Scenario.notification(
      "RENEWAL_EXTENDED", uuid: "6b1d3a52-6f0e-4a55-8f3a-000000000001", month.with { $0.signedAt = instant("2026-05-05T02:00:00Z") },
      renewalInfo: Scenario.renewalInfo("470001000000001", signedAt: "2026-05-05T02:00:00Z", renewalDate: "2026-06-04T10:00:00Z"),
      status: 1, signedAt: "2026-05-05T02:00:00Z")
    try desk.write("apple.ndjson", "\(Scenario.sign(month))\n\(stated)\n")
    #expect(try await desk.program("init").status == 0)
    #expect(try await desk.program("ingest", "apple", "apple.ndjson", "--as-of", "2026-05-05T12:00:00Z").status == 0)
    for (asOf, recognised) in [("2026-05-12T12:00:00Z", "18500"), ("2026-06-03T12:00:00Z", "29500"), ("2026-06-04T12:00:00Z", "30000")] {
      try await desk.program("report", "deferred", "--out", asOf, "--as-of", asOf, exits: 0)
      let row = try #require(CSVRows.decode(Desk.bytes("\(desk.directory)/\(asOf)/schedules.csv")).first)
      #expect(row["recognised_milliunits"] == recognised && row["remaining_milliunits"] == "\(30_000 - (Int(recognised) ?? 0))")
      #expect(["term_last", "sold_days", "extended_on"].map { row[$0] } == ["2026-06-03", "30", "2026-05-05"])
      let sums = try CSVRows.decode(Desk.bytes("\(desk.directory)/\(asOf)/deferred_identities.csv"))
      #expect(sums.count > 4 && sums.allSatisfy { $0["holds"] == "yes" })
    }
  }

  @Test func missingReportsEndWithStatus3() async throws {
    var desk = try await Desk()
    let store = try await desk.openAppStore()
    store.changeReports { shelf in
      shelf.vendors = [Self.vendor]
      shelf.refusals[ReportStore.Key("SALES", vendor: Self.vendor, period: "2026-05-01")] = .forbidden
    }
    try Self.settings(desk, day: 1)
    let missing = try await Self.collect(desk)
    #expect(missing.status == 3)
    #expect(missing.text.contains("\n  SALES 2026-05-01 of 85000000: forbidden (FORBIDDEN_ERROR"), "\(missing.text)")
    let doctor = try await desk.program("doctor").text
    #expect(doctor.contains("App Store Connect key of 85000000: key_id is not ten capitals and digits"), "\(doctor)")
    #expect(try await desk.program("collect", "refunds", "--again", "2026-P01").status == 64)
    await store.stop()
  }
}
