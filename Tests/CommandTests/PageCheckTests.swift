import FoundationEssentials

/// Every figure and sentence of a page, computed again in Python from the exports alone.
@Suite(.cleansUp) struct PageCheckTests {
  private static let lists = [
    "orders", "charges", "transactions", "matches", "breaks", "pending", "signals", "cases", "subscriptions", "parked",
    "evidence", "quarantine", "runs", "renewals-to-book", "lists",
  ]
  /// The quick part of the checker's own test. The rest changes every figure, sentence and column in turn.
  private static let tampering = [
    "GoodReport", "Page.test_bars_and_lines", "Page.test_removed_rows", "Page.test_what_it_does_not_know", "Page.test_rows_behind",
    "Page.test_commands",
    "Files.test_removed_and_doubled_rows", "Files.test_manifest",
  ]

  /// A night of a generated world, the same night in retrospect, and a report between nights.
  @Test(arguments: [3, 14]) func pagesFollowFromExports(seed: Int) async throws {
    var setup = try await Setup()
    let world = "\(setup.directory)/world"
    #expect(try await setup.program("simulate", "world", "--seed", "\(seed)", "--orders", "500", "--out", world).status == 0)
    setup.program.environment["PAYRECON_CONFIG"] = "\(world)/payrecon.yaml"
    setup.program.environment["PAYRECON_APPLE_ROOTS"] = "\(world)/roots"
    let summary = try Setup.lines("\(world)/truth/summary.json").joined()
    let values: [Substring] = summary.split(separator: "\"as_of\"").last?.split(separator: "\"") ?? []
    let clock = String(try #require(values.dropFirst().first))
    try await setup.nightly("\(world)/inbox", asOf: clock, out: "night", ["--future"], exits: 1)
    try await Self.check(setup, report: "night", clock: clock)
    if seed == 3 { try await Self.findsWhatSomebodyChanged(setup) }

    let later = instant(clock).advanced(bySeconds: 172_800).rfc3339
    for (name, asOf) in [("again", clock), ("between", later)] {
      try await setup.program("report", "all", "--future", "--as-of", asOf, "--out", name, exits: 0)
      try await Self.check(setup, report: name, clock: asOf)
    }
  }

  private static var folder: String { "\(TestServer.repository)/Tests/page_check" }

  /// Verifies that the checker finds each change in one night's page and files.
  private static func findsWhatSomebodyChanged(_ from: Setup) async throws {
    var setup = from
    setup.program.environment["PAGECHECK_REPORT"] = "\(setup.directory)/night"
    setup.program.environment["PAGECHECK_EXPORTS"] = "\(setup.directory)/night.exports"
    setup.program.environment["PYTHONPATH"] = folder
    let tests = tampering.map { "test_page_check.\($0)" }
    try await setup.program.run(["python3", "-m", "unittest"] + tests, exits: 0)
  }

  private static func check(_ setup: Setup, report: String, clock: String) async throws {
    let exports = "\(setup.directory)/\(report).exports"
    try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: true)
    for (list, bytes) in try await setup.exports(lists, asOf: clock) { try Data(bytes).write(to: URL(filePath: "\(exports)/\(list).csv")) }
    try await setup.program.run(["python3", "\(folder)/page_check.py", "\(setup.directory)/\(report)", exports], exits: 0)
  }
}
