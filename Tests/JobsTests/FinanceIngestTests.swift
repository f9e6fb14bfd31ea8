import Foundation

/// Money files from the disk to the exports: complete or refused, without loss.
@Suite(.cleansUp) struct FinanceIngestTests {
  typealias Line = FinanceFiles.Line
  static let asOf = "2026-09-01T00:00:00Z"
  private let scenario: Scenario
  init() async throws { scenario = try await Scenario() }

  @Test func fileIsIngestedCompletelyOrRefused() async throws {
    let good = FinanceFiles.may([Line("2026-05-10", settled: "2026-05-12"), Line("2026-05-11", settled: "2026-05-12")])
    let bad = good.replacing("05/11/2026\t", with: "05/41/2026\t")
    let refused = await #expect(throws: Scenario.Refused.self) { try await scenario.ingest(.finance, bad, name: "bad", asOf: Self.asOf) }
    #expect(refused?.reason.contains("bad.csv\" line 7: column \"Transaction Date\": \"05/41/2026\" is not a day") == true)
    #expect(try await scenario.rows(.financeLines, asOf: Self.asOf).isEmpty)
    #expect(try await scenario.cells(.parked, "kind line", asOf: Self.asOf) == ["finance 7"])
    #expect(try await scenario.ingest(.finance, good, name: "good", asOf: Self.asOf) == Tally(input: 2, accepted: 2))
    #expect(try await scenario.ingest(.finance, good, name: "again", asOf: Self.asOf) == Tally(input: 2, repeated: 2))
    let lines = try await scenario.rows(.financeLines, asOf: Self.asOf)
    #expect(lines.cells("extended_partner_share") == ["4.20", "4.20"])
    #expect(lines.allSatisfy { $0["fiscal_period"] == "2026-P08" && $0["report"] == "FINANCE_DETAIL" && $0["file_sha256"]?.count == 64 })
    // The bytes of a refused file are stored, and refused again on a retry.
    let retried = try await ParkedItemsJob(context: try scenario.context(asOf: Self.asOf)).retry(ids: [])
    #expect(retried == Tally(input: 1, parked: 1))
  }

  @Test func `a download that ends after its header replaces no report`() async throws {
    let whole = FinanceFiles.may([Line("2026-05-10", settled: "2026-05-12")])
    try await scenario.ingest(.finance, whole, name: "85000000_2026-08_Z1", asOf: "2026-08-31T00:00:00Z")
    let header = whole.split(separator: "\n", omittingEmptySubsequences: false).prefix(5).joined(separator: "\n") + "\n"
    let refused = await #expect(throws: Scenario.Refused.self) {
      try await scenario.ingest(.finance, header, name: "85000000_2026-08_Z1", asOf: Self.asOf)
    }
    #expect(refused?.reason.contains("there is no row behind the header") == true)
    #expect(try await scenario.cells(.financeLines, "is_current", asOf: Self.asOf) == ["true"])
    #expect(try await scenario.cells(.parked, "kind", asOf: Self.asOf) == ["finance"])
  }

  @Test func `contradictions between a file's name, its days and its rows are in the list of files, in these words`() async throws {
    let line = Line("2026-05-10", settled: "2026-05-12")
    let files = [
      ("85000000_0526_CN", FinanceFiles.financial([line], from: "2026-05-03", to: "2026-05-30"), ""),
      (
        "85000000_2026-09_EU", FinanceFiles.financial([line], from: "2026-06-28", to: "2026-08-01"),
        "its name says 2026-P09, and its days are of 2026-P10, as which it counts; "
          + "its name says region EU, as which it counts, and its rows are of CN"
      ),
      (
        "85000000_2026-09_Z1", FinanceFiles.detail([line], from: "2026-05-31", to: "2026-07-04"),
        "no summary by country stands behind the rows, so nothing but them says that the file is whole; "
          + "its days, 2026-05-31 to 2026-07-04, are not all of 2026-P09, as which it counts"
      ),
      (
        "85000000_0726_JP",
        FinanceFiles.financial(
          [
            Line("2026-06-30", settled: "2026-07-02") { ($0.country, $0.region) = ("JP", "JP") },
            Line("2026-06-30", settled: "2026-07-02") { ($0.country, $0.region) = ("USS", "JP") },
          ], from: "2026-06-28", to: "2026-08-01"),
        "no storefront has its Country of Sale USS"
      ),
    ]
    for (name, text, _) in files { try await scenario.ingest(.finance, text, name: name, asOf: Self.asOf) }
    try await scenario.tieOut()
    let listed = try await FigureWalk.tables(.tieout, scenario, asOf: Self.asOf)["finance_files", default: []]
    #expect(listed.cells("warnings").sorted() == files.map(\.2).sorted())
  }

  @Test func `two versions ingested at one clock: the same one counts in either order, and both name the other`() async throws {
    let line = Line("2026-05-10", settled: "2026-05-12")
    let files = [("old", FinanceFiles.may([line])), ("new", FinanceFiles.may([line, line]))]
    var listed: [[String]] = []
    for order in [files, files.reversed()] {
      let scenario = try await Scenario()
      for (name, text) in order { try await scenario.ingest(.finance, text, name: name, asOf: Self.asOf) }
      try await scenario.tieOut()
      let rows = try await FigureWalk.tables(.tieout, scenario, asOf: Self.asOf)["finance_files", default: []]
      listed.append(rows.map { "\($0["file_name"] ?? "") \($0["is_current"] ?? ""): \($0["warnings"] ?? "")" }.sorted())
    }
    #expect(listed[0] == listed[1] && listed[0].count == 2)
    let winner = try #require(listed[0].first { $0.contains(" true: ") }?.split(separator: " ").first)
    for row in listed[0] {
      #expect(row.contains("are versions of one report, read at one clock: \"\(winner)\" goes before the other, by its greater SHA-256, "))
      #expect(row.contains("old.csv") && row.contains("new.csv"))
    }
  }

  @Test func anotherCompanysReportIsRefused() async throws {
    var scenario = scenario
    scenario.settings.finance.developers = ["Acme Inc"]
    let text = FinanceFiles.may([Line("2026-05-10", settled: "2026-05-12")])
    let developer = await #expect(throws: Scenario.Refused.self) { try await scenario.ingest(.finance, text, asOf: Self.asOf) }
    #expect(developer?.reason.contains("line 6: column \"Developer\": \"Acme Ltd\" is none of finance.developers") == true)
    scenario.settings.finance.developers = []
    scenario.settings.finance.vendors = ["85000000"]
    let vendor = await #expect(throws: Scenario.Refused.self) {
      try await scenario.ingest(.finance, text, name: "86000000_0526_Z1", asOf: Self.asOf)
    }
    #expect(vendor?.reason.contains("vendor number 86000000, which is none of finance.vendors") == true)
    #expect(try await scenario.ingest(.finance, text, name: "85000000_0526_Z1", asOf: Self.asOf).accepted == 1)
  }

  /// An app transferred between two vendor numbers within a month. Both may have equal sales.
  @Test func equalReportsOfTwoVendorsAreTwoFiles() async throws {
    let text = FinanceFiles.may([Line("2026-05-10", settled: "2026-05-12"), Line("2026-05-11", settled: "2026-05-12")])
    let names = ["85000000_0526_Z1", "86000000_0526_Z1"]
    for name in names {
      #expect(try await scenario.ingest(.finance, text, name: name, asOf: Self.asOf) == Tally(input: 2, accepted: 2), "\(name)")
    }
    // The same file again, and the same bytes under a name without a vendor.
    for name in names + ["copy"] {
      #expect(try await scenario.ingest(.finance, text, name: name, asOf: Self.asOf) == Tally(input: 2, repeated: 2), "\(name)")
    }
    let lines = try await scenario.rows(.financeLines, asOf: Self.asOf)
    #expect(lines.count == 4 && Set(lines.map { "\($0["file_sha256"]?.count ?? 0) \($0["is_current"] ?? "")" }) == ["64 true"])
    try await scenario.tieOut()
    #expect(try await scenario.cells(.cells, "l3_units", asOf: Self.asOf) == ["2", "2"])
    let listed = try await FigureWalk.tables(.tieout, scenario, asOf: Self.asOf)["finance_files", default: []]
    #expect(listed.cells("vendor row_count") == ["85000000 2", "86000000 2"])
    #expect(Set(listed.cells("file_sha256")).count == 1)
    try await FigureWalk.expect(scenario, .tieout, least: [.files: 2], asOf: Self.asOf)
  }

  /// A file is the vendor's whichever of its names is read first. The number in the name of a bank statement is an account.
  @Test func nameWithoutVendorNumberIsTheSameFile() async throws {
    let names = ["copy", "85000000_0526_Z1"]
    var listed: [[String]] = []
    for order in [names, names.reversed()] {
      var scenario = try await Scenario()
      scenario.settings.finance.vendors = ["85000000"]
      let text = FinanceFiles.may([Line("2026-05-10", settled: "2026-05-12")])
      for name in order { try await scenario.ingest(.finance, text, name: name, asOf: Self.asOf) }
      try await scenario.ingest(.bank, "bank_date,amount,currency\n2026-07-02,58.75,EUR\n", name: "bank_62220212", asOf: Self.asOf)
      try await scenario.tieOut()
      let files = try await FigureWalk.tables(.tieout, scenario, asOf: Self.asOf)["finance_files", default: []]
      let lines = try await scenario.cells(.financeLines, "file_name", asOf: Self.asOf)
      listed.append(files.cells("file_name vendor is_current warnings") + lines)
    }
    #expect(listed[0] == listed[1] && listed[0].count == 3 && listed[0][0].contains("85000000_0526_Z1.csv 85000000 true"), "\(listed)")
  }

  @Test(arguments: [["", ".gz", ".zst"], [".zst", "", ".gz"]]) func packedCopiesAreRepeated(_ endings: [String]) async throws {
    let text = FinanceFiles.may([Line("2026-05-10", settled: "2026-05-12")])
    let path = try scenario.write("detail.csv", text)
    for packer in [["gzip", "-k"], ["zstd", "-qk"]] {
      let process = Process()
      (process.executableURL, process.arguments) = (URL(filePath: "/usr/bin/env"), packer + [path])
      try process.run()
      process.waitUntilExit()
    }
    for (place, ending) in endings.enumerated() {
      let tally = try await scenario.ingest(.finance, files: [path + ending], asOf: Self.asOf).tally
      #expect(tally == (place == 0 ? Tally(input: 1, accepted: 1) : Tally(input: 1, repeated: 1)), "\(ending)")
    }
    #expect(try await scenario.cells(.financeLines, "file_sha256", asOf: Self.asOf) == [SHA256.hex(Array(text.utf8))])
    let stored = "select convert_from(string_agg(body, '' order by part), 'UTF8') from payrecon.finance_parts"
    #expect(try await scenario.answers(stored) == [text])
  }

  @Test(arguments: [false, true]) func otherLineEndsAreRepeated(_ startsWithCRLF: Bool) async throws {
    let text = FinanceFiles.may([Line("2026-05-10", settled: "2026-05-12")])
    let crlf = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    let (first, second) = startsWithCRLF ? (crlf, text) : (text, crlf)
    #expect(try await scenario.ingest(.finance, first, name: "first", asOf: Self.asOf) == Tally(input: 1, accepted: 1))
    #expect(try await scenario.ingest(.finance, second, name: "second", asOf: "2026-09-02T00:00:00Z") == Tally(input: 1, repeated: 1))
    let lines = try await scenario.rows(.financeLines, asOf: "2026-09-03T00:00:00Z")
    #expect(lines.cells("file_sha256") == [SHA256.hex(Array(first.utf8))])
    // Other bytes are another version.
    let restated = crlf.replacing("4.20", with: "4.21")
    #expect(try await scenario.ingest(.finance, restated, name: "third", asOf: "2026-09-04T00:00:00Z").accepted == 1)
  }

  @Test func creditsOfOverlappingStatementsCountOnce() async throws {
    let head = "bank_date,amount,currency,reference\n"
    let row = "2026-07-02,10.00,EUR,APPLE\n"
    #expect(try await scenario.ingest(.bank, head + row + row, name: "a", asOf: Self.asOf) == Tally(input: 2, accepted: 2))
    let second = head + row + row + "2026-07-03,11.00,EUR,APPLE\n"
    #expect(try await scenario.ingest(.bank, second, name: "b", asOf: Self.asOf) == Tally(input: 3, accepted: 1, repeated: 2))
    let wrong = await #expect(throws: Scenario.Refused.self) {
      try await scenario.ingest(.bank, FinanceFiles.may([Line("2026-05-10", settled: "2026-05-12")]), name: "c", asOf: Self.asOf)
    }
    #expect(wrong?.reason.contains("it is a FINANCE_DETAIL file, not one of bank") == true)
  }

  static let payments = """
    "iTunes Connect - Payments and Financial Reports (May, 2026)"

    Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,\
    Exchange Rate,Proceeds,Bank Account Currency
    "China mainland (CNY)",1,420.00,420.00,0.00,0.00,0.00,420.00,0.13,54.59,EUR
    "Japan (JPY)",1,"1,790","1,790",0,0,-370,"1,420",0.0061,8.66,EUR
    "Rest of World (USD)",0,0.00,0.00,0.00,-5.00,0.00,-5.00,0.90,-4.50,EUR
    ,,,,,,,,,,"58.75" EUR
    ,,,,,,,,,,Paid to ACME BANK -****4711

    """

  @Test(arguments: [
    ("financial_report_2026-P09", "its name says 2026-P09, and its title is of 2026-P08, as which it counts"),
    ("financial_report_2026-P08", ""), ("financial_report", ""),
  ])
  func paymentsNamedAfterAnotherPeriodAreReported(_ name: String, _ warning: String) async throws {
    try await scenario.ingest(.finance, Self.payments, name: name, asOf: Self.asOf)
    let stored = "select concat(fiscal_period, ' ', array_to_string(warnings, '; ')) from payrecon.finance_files"
    #expect(try await scenario.answers(stored) == ["2026-P08 \(warning)"])
  }

  /// Pages of two vendors with the same name are distinguished by their accounts. In separate vendor folders, even two estimates
  /// without an account are distinct.
  @Test(arguments: [["Paid to ACME BANK -****4711", "Paid to ACME BANK -****4712"], ["", ""]])
  func paymentsFilesOfTwoVendorsAreDistinct(_ accounts: [String]) async throws {
    var scenario = scenario
    scenario.settings.finance.vendors = ["85000000", "86000000"]
    for (vendor, account) in zip(scenario.settings.finance.vendors, accounts) {
      let folder = account.isEmpty ? "\(vendor)/" : ""
      let page = Self.payments.replacing("Paid to ACME BANK -****4711", with: account).replacing("Japan", with: "Japan \(vendor)")
      #expect(try await scenario.ingest(.finance, page, name: "\(folder)financial_report", asOf: Self.asOf).accepted == 3)
    }
    let rows = try await scenario.rows(.payments, asOf: Self.asOf)
    #expect(rows.count == 6 && rows.allSatisfy { $0["is_current"] == "true" && $0["file_name"] == "financial_report.csv" })
    #expect(Set(rows.compactMap { $0["is_paid"] }) == [accounts[0].isEmpty ? "false" : "true"])
  }

  @Test func `differences of two vendors that cancel each other in the region's row are two breaks`() async throws {
    var scenario = scenario
    scenario.settings.finance.vendors = ["85000000", "86000000"]
    let sold = Line("2026-05-10", settled: "2026-05-12") {
      ($0.country, $0.region, $0.currency, $0.share, $0.units) = ("DE", "EU", "EUR", "10.00", 5)
    }
    for (vendor, paid) in zip(scenario.settings.finance.vendors, ["60.00", "40.00"]) {
      try await scenario.ingest(.finance, FinanceFiles.may([sold]), name: "\(vendor)_0526_Z1", asOf: Self.asOf)
      let page = BankCreditOfAPaymentTests.page("May", paid, account: "Paid to DE00 \(vendor)")
      try await scenario.ingest(.finance, page, name: "\(vendor)/financial_report", asOf: Self.asOf)
    }
    try await scenario.tieOut()
    let breaks = try await scenario.rows(.breaks, asOf: Self.asOf).filter { $0["class"] == "PAYMENT_DIFF" }
    #expect(
      breaks.cells("detail amount_milliunits").sorted() == [
        "2026-P08 EU EUR: the payment says 40.00 earned, the reports 50.00 (vendor 86000000) 10000",
        "2026-P08 EU EUR: the payment says 60.00 earned, the reports 50.00 (vendor 85000000) 10000",
      ])
  }

  @Test func moneyIsFollowedToTheBank() async throws {
    let lines = [
      Line("2026-05-10", settled: "2026-05-12", units: 100),
      Line("2026-05-10", settled: "2026-05-12") {
        ($0.country, $0.region, $0.currency, $0.price, $0.share) = ("JP", "JP", "JPY", "2560", "1790")
      },
    ]
    try await scenario.ingest(.finance, FinanceFiles.may(lines), name: "detail", asOf: Self.asOf)
    try await scenario.ingest(.finance, Self.payments, name: "financial_report", asOf: Self.asOf)
    try await scenario.ingest(.bank, "bank_date,amount,currency,reference\n2026-07-02,58.75,EUR,APPLE\n", name: "bank", asOf: Self.asOf)
    try await scenario.tieOut()
    let files = try await scenario.report(.tieout, asOf: Self.asOf)
    let rows = try files.rows("tieout_regions.csv")
    #expect(
      rows.cells("region proceeds_currency rate_printed rate_derived bank_diff status") == [
        "CN CNY 0.13 0.1299761905 0.00 closed", "JP JPY 0.0061 0.0060985915 0.00 closed", "WW USD 0.90 0.9 0.00 closed",
      ])
    let identities = try files.text("tieout_identities.csv")
    #expect(try identities.contains("bridge 55,2026-P08,EUR") && files.failures("tieout_identities.csv") == [], "\(identities)")
    #expect(try await scenario.cells(.payments, "earned", asOf: Self.asOf) == ["420.00", "1790", "0.00"])
    let breaks = try await scenario.rows(.breaks, asOf: Self.asOf)
    #expect(breaks.filter { $0["class"] == "FX_RATE_ROUNDING" }.cells("amount_milliunits") == ["10"])
    #expect(!breaks.contains { $0["class"] == "PAYMENT_DIFF" }, "\(breaks.cells("detail"))")

    // The account has one cent less.
    try await scenario.ingest(
      .finance, Self.payments.replacing("58.75", with: "58.76").replacing("-4.50", with: "-4.49"), name: "restated",
      asOf: "2026-09-02T00:00:00Z")
    try await scenario.tieOut(asOf: "2026-09-02T00:00:00Z")
    let later = try await scenario.rows(.breaks, asOf: "2026-09-02T00:00:00Z").filter { $0["class"] == "PAYMENT_DIFF" }
    #expect(later.contains { $0["detail"] == "2026-P08 EUR: paid out were 58.76, the bank has 58.75" && $0["amount_milliunits"] == "10" })
  }

  /// Period boundaries, published or computed by hand.
  static let calendar: [(period: String, from: String, to: String)] = [
    ("2022-P01", "2021-09-26", "2021-10-30"), ("2023-P12", "2023-09-03", "2023-09-30"), ("2023-P03", "2022-11-27", "2022-12-31"),
    ("2024-P01", "2023-10-01", "2023-11-04"), ("2024-P02", "2023-11-05", "2023-12-02"), ("2024-P03", "2023-12-03", "2023-12-30"),
    ("2024-P04", "2023-12-31", "2024-02-03"), ("2024-P06", "2024-03-03", "2024-03-30"), ("2024-P09", "2024-06-02", "2024-06-29"),
    ("2024-P12", "2024-09-01", "2024-09-28"), ("2025-P01", "2024-09-29", "2024-11-02"), ("2025-P04", "2024-12-29", "2025-02-01"),
    ("2025-P06", "2025-03-02", "2025-03-29"), ("2025-P12", "2025-08-31", "2025-09-27"), ("2026-P01", "2025-09-28", "2025-11-01"),
    ("2026-P06", "2026-03-01", "2026-03-28"), ("2026-P07", "2026-03-29", "2026-05-02"), ("2026-P12", "2026-08-30", "2026-09-26"),
    ("2027-P02", "2026-11-01", "2026-11-28"), ("2027-P12", "2027-08-29", "2027-09-25"), ("2028-P01", "2027-09-26", "2027-10-30"),
    ("2028-P02", "2027-10-31", "2027-11-27"), ("2028-P03", "2027-11-28", "2028-01-01"), ("2028-P04", "2028-01-02", "2028-02-05"),
    ("2028-P06", "2028-03-05", "2028-04-01"), ("2028-P09", "2028-06-04", "2028-07-01"), ("2028-P12", "2028-09-03", "2028-09-30"),
  ]

  @Test func theFiscalCalendarIsApples() throws {
    let rows = try TestServer.sql().text("reference/fiscal_periods.csv").split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").map(String.init)
    }
    let days = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], "\($0[3]) \($0[4])") })
    for (period, from, to) in Self.calendar { #expect(days[period] == "\(from) \(to)", "\(period)") }
    // No day is missing or in two periods.
    for (one, next) in zip(rows, rows.dropFirst()) {
      #expect(Timestamp(rfc3339: "\(one[4])T00:00:00Z")?.advanced(bySeconds: 86_400) == Timestamp(rfc3339: "\(next[3])T00:00:00Z"))
    }
    #expect(
      Set(rows.filter { $0[2] == "3" && $0[5] == "5" }.map { $0[1] }).intersection(["2017", "2023", "2028"]) == ["2017", "2023", "2028"])
  }
}
