import FoundationEssentials

/// Workbooks and schema files, opened by the programs of their users.
@Suite(.cleansUp) struct WorkbookTests {
  static let python = PythonEnvironment(
    name: "tables", packages: ["openpyxl==3.1.5", "pandas==3.1.1", "duckdb==2.0.0", "pytz==2026.6"],
    module: "duckdb, openpyxl, pandas, pytz")
  private static let folder = "\(TestServer.repository)/Tests/table_check"

  /// Runs a checker of Tests/table_check and returns its output.
  @discardableResult
  static func check(_ script: String, _ words: String...) async throws -> String {
    return try await python.program.run(["\(python.folder)/bin/python", "\(folder)/\(script)"] + words, exits: 0).text
  }

  /// Order ids, users and products that programs with type inference misread.
  private static let awkward = [
    "000123", "9007199254740993123", "1E5", "NA", "null", "TRUE", "2026-05-01", "=1+1", "+7999", "-3", "-2+3", "@SUM(1)",
    "'quoted", "_x0041_", "nan", "1_000", "0x1F", "订单一", "注文", "Заказ",
  ]

  private static func orders() -> String {
    let names = ["用户一", "ユーザー太郎", "Пользователь", "=HYPERLINK(\"http://example.org\")"]
    let rows = awkward.enumerated().map { place, id in
      let currency = ["CNY", "JPY", "KWD", "RUB"][place % 4]
      let name = names[place % 4].replacing("\"", with: "\"\"")
      return "\(id),com.acme.reader,\"商品,\(place)\",\"\(name)\",paid,2026-05-01T10:00:00.123Z,\(1_234_567_890 + place),\(currency)"
    }
    return "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency\n" + rows.joined(separator: "\n") + "\n"
  }

  /// The files of a night with workbooks. Ids that resemble other types stay text everywhere.
  @Test(.enabled("openpyxl, pandas and DuckDB cannot be installed here") { try await python.install() })
  func awkwardTextStaysText() async throws {
    let setup = try await Setup()
    try setup.write("payrecon.yaml", Setup.settings() + "reports: {formats: [csv, xlsx], sheet_rows: 8}\n")
    try setup.write("inbox/orders.csv", Self.orders())
    try await setup.nightly(asOf: "2026-05-12T00:00:00Z", out: "night", prints: "run ")
    let report = "\(setup.directory)/night"
    let names = try Setup.files(in: report).keys.sorted()
    #expect(names.contains("report.xlsx") && names.contains("breaks.schema.json") && !names.contains("breaks.json"), "\(names)")
    let breaks = try Setup.text("\(report)/breaks.csv")
    for id in Self.awkward { #expect(breaks.contains(id), "\(id)") }
    // A table longer than a sheet continues in further sheets.
    let printed = try await Self.check("workbook.py", "\(report)/report.xlsx", report)
    // One break for each order, and one for the missing Apple input.
    #expect(printed.contains("breaks: \(Self.awkward.count + 1) rows"), "\(printed)")
    try await Self.check("readers.py", report)
    try await Self.exports(setup, asOf: "2026-05-12T00:00:00Z")
    #expect(try await setup.program("runs", "verify", "night").status == 0)
    // A later report of its kind removes the files that it does not write. Other files stay and are named.
    try setup.write("payrecon.yaml", Setup.settings() + "reports: {formats: [csv]}\n")
    try await setup.nightly(asOf: "2026-05-12T06:00:00Z", out: "night", prints: "run ")
    #expect(try await setup.program("runs", "verify", "night").status == 0)
    try setup.write("night/notes.txt", "ours\n")
    try await setup.program("runs", "verify", "night", exits: 1, prints: "notes.txt was added")
  }

  private static let lists = [
    "orders", "evidence", "quarantine", "parked", "pending", "transactions", "charges", "matches", "breaks", "signals", "cases",
    "lists", "subscriptions", "renewals-to-book", "runs",
  ]
  /// Lists filled from Apple's money reports.
  static let moneyLists = ["finance-lines", "payments", "cells", "proceeds"]

  @Test func `every list of the program appears here, so that the checkers read each new one`() async throws {
    let refused = try await Program().run([Program.path, "export", "nothing"])
    let known = refused.complaint.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    #expect(Set(known) == Set(Self.lists + Self.moneyLists), "\(refused.complaint)")
  }

  /// Verifies exports with pandas and DuckDB by their schemas, and as text with LibreOffice if it is installed.
  static func exports(_ setup: Setup, _ lists: [String] = lists, asOf: String) async throws {
    for list in lists {
      for (words, ending) in [(["--as-of", asOf], "csv"), (["--schema"], "schema.json")] {
        let export = try await setup.program.run([Program.path, "export", list] + words, exits: 0)
        try setup.write("exports/\(list).\(ending)", export.output)
      }
    }
    let folder = "\(setup.directory)/exports"
    let printed = try await check("readers.py", folder)
    #expect(printed.split(separator: "\n").count == lists.count, "\(printed)")
    guard Program.finds("soffice") else { return }
    // UTF-8 with commas and quotes, every column as text, as a user selects in the import dialogue.
    let columns = (1...100).map { "\($0)/2" }.joined(separator: "/")
    try await setup.program.run(
      [
        "soffice", "-env:UserInstallation=file://\(setup.directory)/office", "--headless",
        "--infilter=Text - txt - csv (StarCalc):44,34,76,1,\(columns)", "--convert-to", "xlsx", "--outdir", "\(folder)/opened",
      ] + lists.map { "\(folder)/\($0).csv" }, exits: 0)
    try await check("workbook.py", "--opened", "\(folder)/opened", folder)
  }

  @Test(.enabled("openpyxl, pandas and DuckDB cannot be installed here") { try await python.install() })
  func `the reports of a world: each cell equals the CSV, each total equals its rows, and the bytes are always the same`() async throws {
    let world = try await Worlds.shared.small()
    let setup = try await Setup(world: world)
    let settings = try Setup.text("\(world)/payrecon.yaml")
    var night = setup
    night.program.environment["PAYRECON_CONFIG"] = try setup.write(
      "payrecon.yaml", settings.replacing("reports: {directory: reports}", with: "reports: {formats: [csv, json, html, xlsx]}"))
    let first = try await night.nightly("\(world)/inbox", out: "night")
    let id = try #require(first.headlineEnd)
    try await night.program("runs", "replay", id, prints: "the same byte for byte")
    for kind in ["all", "daily", "breaks", "renewals", "refunds", "deferred"] {
      let name = kind == "all" ? "report" : kind
      let formats = ["--format", "csv", "--format", "json", "--format", "xlsx", "--as-of", Setup.asOf]
      for out in ["\(kind)-1", "\(kind)-2"] {
        try await setup.program.run([Program.path, "report", kind, "--out", out] + formats, exits: 0)
      }
      let book = "\(setup.directory)/\(kind)-1/\(name).xlsx"
      #expect(try Setup.bytes(book) == Setup.bytes("\(setup.directory)/\(kind)-2/\(name).xlsx"), "\(kind)")
      try await Self.check("workbook.py", book, "\(setup.directory)/\(kind)-1")
      try await Self.check("readers.py", "\(setup.directory)/\(kind)-1")
      // A workbook alone has the same cells and leaves no other file in its folder.
      let written = "\(kind)-3/\(name).xlsx\n\(kind)-3/manifest.json\n"
      try await setup.program("report", kind, "--out", "\(kind)-3", "--format", "xlsx", "--as-of", Setup.asOf, text: written)
      #expect(try Setup.files(in: "\(setup.directory)/\(kind)-3").keys.sorted() == ["\(name).xlsx", "manifest.json"].sorted())
      #expect(try Setup.bytes(book) == Setup.bytes("\(setup.directory)/\(kind)-3/\(name).xlsx"), "\(kind)")
    }
    try await Self.exports(setup, asOf: Setup.asOf)
  }

  /// Verifies that LibreOffice reads the same cells as the CSV files, and computes the same values for removed formulas.
  static func expectOffice(_ folder: String, _ name: String, _ setup: Setup) async throws {
    let book = "\(folder)/\(name).xlsx"
    try await Self.check("workbook.py", "--strip", book, "\(setup.directory)/stripped.xlsx")
    for (source, out) in [(book, "opened"), ("\(setup.directory)/stripped.xlsx", "computed")] {
      let words = ["soffice", "-env:UserInstallation=file://\(setup.directory)/office", "--headless", "--convert-to", "xlsx", "--outdir"]
      try await setup.program.run(words + ["\(setup.directory)/\(out)", source], exits: 0)
    }
    try await Self.check("workbook.py", "--saved", "\(setup.directory)/opened/\(name).xlsx", folder)
    try await Self.check("workbook.py", "--computed", "\(setup.directory)/computed/stripped.xlsx", book)
  }

  @Test(
    .enabled("openpyxl, pandas and DuckDB cannot be installed here") { try await python.install() },
    .enabled(if: Program.finds("soffice"), "LibreOffice is not installed: apt-get install libreoffice-calc-nogui"))
  func `LibreOffice shows the same cells, and computes every formula to the value stored in the workbook`() async throws {
    let setup = try await Worlds.shared.night().setup.copy()
    for (kind, name) in [("all", "report"), ("renewals", "renewals")] {
      let formats = ["--format", "csv", "--format", "xlsx", "--as-of", Setup.asOf]
      try await setup.program.run([Program.path, "report", kind, "--out", kind] + formats, exits: 0)
      try await Self.expectOffice("\(setup.directory)/\(kind)", name, setup)
    }
  }

  @Test func `a missing library is reported before anything is read or written`() async throws {
    var setup = try await Setup()
    try setup.write("lib/libxlsxwriter.so.4", "no library")
    try setup.write("inbox/users.csv", "user_id\nU1\n")
    try setup.write("payrecon.yaml", Setup.settings() + "reports: {formats: [xlsx]}\n")
    setup.program.environment["LD_LIBRARY_PATH"] = "\(setup.directory)/lib"
    for words in [["report", "all", "--out", "report"], ["nightly", "--inbox", "inbox", "--out", "report"]] {
      try await setup.patiently(words, asOf: "2026-05-12T00:00:00Z", exits: 2, complains: "apt-get install libxlsxwriter4")
      #expect(!FileManager.default.fileExists(atPath: "\(setup.directory)/report"))
    }
    #expect(try await setup.count("runs") == 0)
    try await setup.program("doctor", prints: "apt-get install libxlsxwriter4")
    #expect(try await setup.program("report", "all", "--out", "csv", "--format", "csv").status == 0)
  }
}
