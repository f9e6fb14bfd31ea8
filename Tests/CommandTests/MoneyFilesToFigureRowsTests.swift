import FoundationEssentials

/// From simulated money files of Apple to the rows of a figure, through the program as a user runs it.
@Suite(.cleansUp) struct MoneyFilesToFigureRowsTests {
  private static let asOf = "2026-11-02T00:00:00Z"

  @Test func aPeriodIsTiedOutAndAFigureIsFollowedToItsRows() async throws {
    let world = try Setup.makeFolder()
    let setup = try await Setup(world: world)
    try await setup.program(
      "simulate", "finance", "--seed", "3", "--charges", "600", "--out", world, exits: 0, prints: "lines of FINANCE_DETAIL, planted: T1 ")
    let reports = try FileManager.default.contentsOfDirectory(atPath: "\(world)/finance").sorted()
      .filter { $0.hasSuffix("_Z1.txt") || $0.hasPrefix("financial_report") || $0.contains("20260715") }.map { "\(world)/finance/\($0)" }
    for arguments in [
      ["ingest", "apple", "\(world)/inbox/apple.ndjson"], ["ingest", "finance"] + reports, ["ingest", "bank", "\(world)/bank/credits.csv"],
    ] {
      try await setup.program.run([Program.path] + arguments + ["--as-of", Self.asOf], exits: 0)
    }
    let tied = try await setup.program("tieout", "--period", "2026-P10", "--as-of", Self.asOf, exits: 1)
    let periods = try await setup.printed("period", "--as-of", Self.asOf)
    #expect(
      periods.cells("fiscal_period state is_settled") == [
        "2026-P10 tied_out yes", "2026-P11 reported no", "2026-P12 reported no", "2027-P01 over no", "2027-P02 running no",
      ])
    // Summer time ends within 2027-P02.
    #expect(periods.first?["starts_at"] == "2026-06-28T07:00:00Z" && periods.last?["ends_at"] == "2026-11-29T08:00:00Z")
    #expect(periods.first?["tied_out_at"] == Self.asOf && (periods.first?["proved_percent"] ?? "").hasPrefix("9"))
    #expect(try await setup.printed("period", "--as-of", "2026-10-01T00:00:00Z").cells("state") == ["running"])
    // The program prints the unexplained amount, equal to the planted one.
    let planted = try CSVRows.decode(Setup.bytes("\(world)/truth/cells.csv")).filter { $0["fiscal_period"] == "2026-P10" }
    let currencies = Dictionary(grouping: planted) { $0["customer_currency"] ?? "" }
    for currency in ["CNY", "USD", "JPY", "EUR", "KWD"] {
      let units = (currencies[currency] ?? []).filter { $0["found_as"] == "unexplained" }.compactMap { Int($0["units"] ?? "") }
      let line = tied.text.split(separator: "\n").first { $0.hasPrefix("2026-P10 \(currency):") } ?? ""
      let count = units.reduce(0) { $0 + abs($1) }
      let part = line.split(separator: ", ").first { $0.hasPrefix("unexplained ") }
      #expect(part?.hasSuffix("(\(count))") == true, "\(line)")
    }
    let kept = try #require(planted.first { $0["cause"] == "T18" && $0["units"] == "-1" })
    let cell = try #require(
      try await setup.rows("cells").first { row in
        ["fiscal_period", "sku", "storefront", "transaction_day", "customer_price", "sign"].allSatisfy { row[$0] == kept[$0] }
      }?["cell_id"])
    let rows = try await setup.program("rows", "tieout", cell, "--as-of", Self.asOf, prints: "charge,")
    let printed = rows.text + rows.complaint
    #expect(rows.status == 0 && printed.contains("T18 -1: Apple sold it at another price"), "\(printed)")
    try await Self.expectBridge(setup)
    try await Self.expectWorkbook(setup)
    try await Self.expectCoverage(setup)
    try await Self.expectPagesThatFit(setup, world: world)
    try await Self.expectClose(setup)
  }

  private static let browser = ConsoleBrowserTests.python

  /// Verifies in a browser that no text of a finance page is cut on A4 or on a phone, and that each prints on at most eight pages. The
  /// languages include those with the longest words and without blanks.
  private static func expectPagesThatFit(_ setup: Setup, world: String) async throws {
    guard ConsoleBrowserTests.hasBrowser, try await browser.install() else { return }
    let settings = try Setup.text("\(world)/payrecon.yaml")
    var pages: [String] = []
    for language in ["en", "ru", "ja"] {
      let spoken = settings.replacing("directory: reports", with: "directory: reports, language: \(language)")
      try spoken.write(toFile: "\(world)/payrecon.yaml", atomically: true, encoding: .utf8)
      for kind in ["tieout", "coverage", "refunds", "deferred", "renewals"] {
        let folder = "\(setup.directory)/pages-\(language)-\(kind)"
        try await setup.program("report", kind, "--format", "html", "--as-of", asOf, "--out", folder, exits: 0)
        pages.append("\(folder)/\(kind).html")
      }
    }
    try settings.write(toFile: "\(world)/payrecon.yaml", atomically: true, encoding: .utf8)
    let check = "\(TestServer.repository)/Tests/page_check/fit.py"
    try await browser.program.run(["\(browser.folder)/bin/python", check] + pages, exits: 0)
    // The check finds a text that is cut and a page that is too long.
    let wide = "\(setup.directory)/wide.html"
    let rows = String(repeating: "<p>line</p>", count: 1000)
    try "<body><div style=\"width:2000px;text-align:right\">cut</div>\(rows)".write(toFile: wide, atomically: true, encoding: .utf8)
    try await browser.program.run(["\(browser.folder)/bin/python", check, wide], exits: 1, prints: "phone: cut: cut", " pages")
  }

  /// Verifies that two people close the period, and that its reports are written again byte by byte.
  private static func expectClose(_ setup: Setup) async throws {
    let close = [Program.path, "period", "close", "2026-P10", "--as-of", asOf]
    let (ann, bob) = (try await setup.login("ann"), try await setup.login("bob"))
    try await ann.run(close + ["--out", "\(setup.directory)/close"], exits: 0, prints: "period: close of 2026-P10 proposed")
    try await setup.program("runs", "verify", "\(setup.directory)/close/tieout", exits: 0)
    try await ann.run(close, exits: 64, complains: "a second person must sign")
    let signed = try await bob.run(close)
    #expect(signed.status == 0 && signed.text.hasSuffix("period: 2026-P10 closed as of \(asOf)\n"), "\(signed.complaint)")
    let states = try await setup.printed("period", "status", "2026-P10")
    #expect(states.prefix(1).cells("state coverage_percent target_percent changed_charges") == ["closed 95.65 95 0"])
    #expect(states.first?["proposed_by"] != states.first?["signed_by"])
    try await setup.program("period", "status", "2026-P10", "--replay", exits: 0, prints: "5 reports, 0 differ")
    // Figures as signed are those of the clock of the close.
    let listed = try await setup.program("rows", "roll_forward", "--as-of", asOf, exits: 0)
    #expect(try await setup.program("rows", "roll_forward", "--signed", "2026-P10", exits: 0).text == listed.text && !listed.text.isEmpty)
    try await setup.program("rows", "roll_forward", "--signed", "2026-P11", exits: 64, complains: "2026-P11")
    let reopen = [Program.path, "period", "reopen", "2026-P10", "--reason"]
    #expect(try await bob.run(reopen + [" "]).status == 64)
    #expect(try await ann.run(reopen + ["late file"]).text.contains("reopening of 2026-P10 proposed"))
    for (setup, words, text) in [
      (bob, ["seen", "--withdraw"], "only that account can withdraw it"), (ann, ["seen", "--reject"], "a second person must reject it"),
      (ann, ["seen", "--reject", "--withdraw"], "give either --reject or --withdraw"),
      (bob, ["not needed", "--reject"], "period: proposal for 2026-P10 rejected\n"),
      (ann, ["again", "--withdraw"], "no close or reopening is proposed"),
    ] {
      let run = try await setup.run(reopen + words)
      #expect((run.text + run.complaint).contains(text), "\(words): \(run.text)\(run.complaint)")
    }
  }

  /// Verifies that the console's dashboard shows the proved share of the period and links to its cells.
  private static func expectCoverage(_ setup: Setup) async throws {
    try await ConsoleSetup.add("ann", "analyst", "", setup)
    let server = try await ConsoleSetup.serve(setup, "--console --as-of \(asOf)")
    let ann = try await server.browser("ann")
    let dashboard = try ann.get("/dashboard").body
    let link = try #require(dashboard.firstMatch(of: /href="(\/rows\/coverage\?cell=2026-P10%2FCNY[^"]*)"/), "\(dashboard)").output.1
    try ann.get(ConsolePage.unescaped(link)).expect(200, has: "data-label=\"Value\"")
  }

  /// Verifies the addresses of the bridge figures, the rows of one, and the message for an unknown address.
  private static func expectBridge(_ setup: Setup) async throws {
    let listed = try await setup.program("rows", "tieout_bridge", "--as-of", asOf)
    let figures = listed.text.split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
    #expect(listed.status == 0 && figures.count > 100, "\(listed.complaint)")
    let figure = try #require(figures.first { $0[0].hasPrefix("2026-P10/customer/USD/") && $0[0].hasSuffix("/27/amount") })
    let rows = try await setup.program("rows", "tieout_bridge", figure[0], "--as-of", asOf, exits: 0)
    let values = rows.text.split(separator: "\n").dropFirst().map { Decimal(string: String($0.split(separator: ",").last ?? "")) ?? 0 }
    #expect(values.count > 1)
    #expect(values.reduce(0, +) == Decimal(string: figure[1]))
    try await setup.program(
      "rows", "tieout_bridge", "2026-P10/customer/USX/27/amount", "--as-of", asOf, exits: 64, text: "",
      complains: "Did you mean 2026-P10/customer/USD/")
    try await setup.program("rows", "tieout_bridge", "2026-P11", "--as-of", asOf, exits: 64, complains: "There are those of 2026-P10.")
  }

  /// Verifies the report as a workbook: each cell as in its CSV, read by openpyxl, and by LibreOffice if it is installed.
  private static func expectWorkbook(_ setup: Setup) async throws {
    guard try await WorkbookTests.python.install() else { return }
    try await setup.program(
      "report", "tieout", "--out", "tieout", "--format", "csv", "--format", "json", "--format", "xlsx", "--as-of", asOf, exits: 0)
    let folder = "\(setup.directory)/tieout"
    let printed = try await WorkbookTests.check("workbook.py", "\(folder)/tieout.xlsx", folder)
    #expect(printed.contains("tieout_identities: "), "\(printed)")
    try await WorkbookTests.check("readers.py", folder)
    try await WorkbookTests.exports(setup, WorkbookTests.moneyLists, asOf: asOf)
    if Program.finds("soffice") { try await WorkbookTests.expectOffice(folder, "tieout", setup) }
  }
}
