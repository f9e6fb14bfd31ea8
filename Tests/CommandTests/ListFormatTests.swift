import Foundation

/// Lists for readers and for programs. All tests read one environment.
@Suite(.serialized) struct ListFormatTests {
  private static let lists = [
    ["breaks", "list"], ["breaks", "pending"], ["queue", "list"], ["deadletter", "list"], ["lists", "list"], ["runs", "list"],
    ["runs", "windows"], ["period", "list"], ["audit", "list"], ["export", "orders"], ["export", "runs"],
  ]

  private static let made = Task<Setup, any Error> { try await CleanUp.shared(makeSetup) }
  private let setup: Setup

  init() async throws { setup = try await Self.made.value }

  private static func makeSetup() async throws -> Setup {
    let setup = try await Setup()
    try setup.write(
      "inbox/orders.csv",
      """
      order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency
      PO-1,com.acme.reader,金币六十,用户一,paid,2026-05-01T10:00:00Z,6000,CNY
      PO-22,com.acme.reader,coins,U2,paid,2026-05-01T11:00:00Z,12000,CNY
      PO-333,com.acme.reader,coins,U3,paid,2026-05-01T12:00:00Z,68000,CNY
      PO-4444,com.acme.reader,coins,U\u{1B}[31m4,paid,2026-05-01T12:00:00Z,980000,CNY

      """)
    try setup.write("jobs/nightly.yaml", "name: nightly\ncommand: doctor\nevery: 1h\n")
    for day in ["2026-05-11", "2026-05-12"] {
      try await setup.nightly(asOf: "\(day)T00:00:00Z")
      try await setup.query(
        """
        insert into payrecon.job_windows
          (job, window_from, window_to, scheduled_at, origin, host, attempt, lease_until, started_at)
        select 'nightly', day, day + interval '1 hour', day, 'hand', 'h', 1, day, day
        from (values (timestamptz '\(day)T00:00:00Z')) as given (day)
        """)
    }
    return setup
  }

  @Test(arguments: lists) func `every format has the same rows, and never more than the limit`(_ words: [String]) async throws {
    let write = { (options: [String]) in
      return try await setup.program.run([Program.path] + words + options + ["--as-of", "2026-05-12T00:00:00Z"], exits: 0)
    }
    let csv = try await write([])
    #expect(try await write(["--format", "csv"]).output == csv.output)
    let rows = try Scenario.rows(try await write(["--format", "ndjson"]).output)
    let json = try await write(["--format", "json"])
    let objects = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]])
    #expect(objects.count == rows.count)
    let table = try await write(["--format", "table"]).text.split(separator: "\n")
    #expect(table.count == rows.count + 1)
    #expect(!table.joined().unicodeScalars.contains { $0.value == 0x1B })
    // The newest runs, windows, periods and entries are of interest, though their lists begin with the oldest.
    let isOldestFirst = ["runs list", "runs windows", "export runs", "audit list", "period list"].contains(words.joined(separator: " "))
    if isOldestFirst || ["breaks list", "queue list"].contains(words.joined(separator: " ")) {
      #expect(!rows.isEmpty)
      let limited = try Scenario.rows(try await write(["--limit", "1", "--format", "ndjson"]).output)
      // This world has one fiscal period.
      #expect(!isOldestFirst || rows.count > 1 || words == ["period", "list"])
      #expect(limited == Array(isOldestFirst ? rows.suffix(1) : rows.prefix(1)))
    }
  }

  @Test func `rows are sorted by one column in either direction, before the limit applies`() async throws {
    let at = ["--as-of", "2026-05-12T00:00:00Z"]
    let cases: [(words: [String], column: String, isNumber: Bool)] = [
      (["export", "orders"], "price_milliunits", true), (["export", "orders"], "order_id", false),
      (["breaks", "list"], "break_id", false), (["queue", "list"], "case_id", false), (["runs", "list"], "run_id", false),
      (["audit", "list"], "number", true), (["rules"], "suspects", false),
    ]
    for (words, column, isNumber) in cases {
      let values = { (options: [String]) in
        let run = try await setup.program.run([Program.path] + words + options + (words == ["rules"] ? [] : at), exits: 0)
        return CSVRows.decode(run.output).map { $0[column] ?? "" }
      }
      let up = try await values(["--sort", column])
      #expect(!up.isEmpty, "\(words)")
      #expect(up == up.sorted { isNumber ? (Int($0) ?? 0) < (Int($1) ?? 0) : $0 < $1 }, "\(words)")
      #expect(try await values(["--sort", "-\(column)"]) == up.reversed(), "\(words)")
      #expect(try await values(["--sort", "-\(column)", "--limit", "1"]) == [up[up.count - 1]], "\(words)")
    }
    try await setup.program("breaks", "list", "--sort", "colour", exits: 64, complains: "could not sort by \"colour\"")
    let accounts = try await setup.program("database", "accounts", "list", "--format", "ndjson")
    #expect(try Scenario.rows(accounts.output).contains { $0["is_you"] == "yes" }, "\(accounts.text)")
  }

  /// An unknown break class is refused with the most similar class. An empty list would look as if all were well.
  @Test func misspeltClassesAreRefused() async throws {
    for (command, list) in [("breaks", "list"), ("breaks", "pending"), ("queue", "list")] {
      try await setup.program(command, list, "--class", "order_no_xt", exits: 64, text: "", complains: "Did you mean ORDER_NO_TX?")
      // An app outside the settings may have rows, so the command only warns.
      try await setup.program(command, list, "--app", "com.acme.raeder", exits: 0, complains: "did you mean com.acme.reader?")
    }
    try await setup.program("queue", "list", "--rule", "R99", exits: 64, complains: "there is no such class or rule")
    #expect(try await setup.program("breaks", "list", "--class", "order_no_tx").status == 0)
  }

  /// Returns the number of columns that a text takes on a terminal.
  private static func width(of text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 && $1.value < 0xFFFD ? 2 : 1) }
  }

  /// Lines fit the terminal: empty columns are omitted and texts are shortened, but figures are not.
  @Test(arguments: [60, 100, 400]) func tablesFitTheTerminal(width: Int) async throws {
    let list = "\(Program.path) export orders --format table --as-of 2026-05-12T00:00:00Z"
    let run = try await setup.program.run(["script", "-qec", "stty cols \(width); \(list)", "/dev/null"], exits: 0, prints: "PO-333")
    let lines = run.text.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "").split(whereSeparator: \.isNewline)
    let table = lines.filter { !$0.hasPrefix("… no room for ") }
    #expect(table.count >= 4, "\(run.text)")
    for line in table { #expect(Self.width(of: line) <= width, "\(line)") }
    #expect(lines.contains { $0.hasPrefix("… no room for ") } == (width < 400), "\(run.text)")
    // No order has a device.
    #expect(!run.text.contains("device_id"))
    #expect((width == 400) == run.text.contains("68000"), "\(run.text)")
  }

  @Test func `columns are aligned, even after characters that are two columns wide`() async throws {
    let run = try await setup.program("export", "orders", "--format", "table", "--as-of", "2026-05-12T00:00:00Z")
    let lines = run.text.split(separator: "\n").map(String.init)
    #expect(lines.count >= 4)
    let place = { (line: String, word: String) in Self.width(of: line.components(separatedBy: word)[0]) }
    #expect(Set(lines.dropFirst().map { place($0, "paid") }).count == 1, "\(run.text)")
    #expect(place(lines[0], "status") == place(lines[1], "paid"), "\(run.text)")
    // Figures are right-aligned.
    let ends = lines.map { line in place(line, " CNY") }.dropFirst()
    #expect(Set(ends).count == 1, "\(run.text)")
  }
}
