@Suite(.cleansUp) struct HistoryPageTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  private static func page(_ id: String, token: String? = nil, hasMore: Bool) -> String {
    """
    {"revision":"r","bundleId":"com.acme.reader","environment":"Production","hasMore":\(hasMore),\
    "signedTransactions":["\(ApplePurchase(id, at: "2026-05-09T10:00:00Z", token: token).jws)"]}
    """
  }

  private static let first = page("1", token: Scenario.token1, hasMore: true)
  private static let second = page("2", token: Scenario.token1, hasMore: true)
  private static let last = page("3", token: Scenario.token1, hasMore: false)
  private static let other = page("9", token: Scenario.token2, hasMore: false)

  /// Lines of each file, and the number of incomplete files.
  private static let cases: [(name: String, files: [[String]], open: Int)] = [
    ("one page that is the last", [[last]], 0),
    ("a page without the next", [[first]], 1),
    ("two pages without the last", [[first, second]], 1),
    ("all pages in one file", [[first, second, last]], 0),
    ("all pages, each in a file", [[first], [second], [last]], 0),
    ("the last page before the first", [[last], [first]], 0),
    ("the page of another customer is not the next", [[first, other]], 1),
    ("pages that name no customer follow each other", [[page("1", hasMore: true), page("2", hasMore: false)]], 0),
    ("pages that name no customer, the last one first", [[page("2", hasMore: false)], [page("1", hasMore: true)]], 0),
    (
      "twelve pages that name no customer, in the order of their names",
      [1, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9].map { [page("\($0)", hasMore: $0 < 12)] }, 0
    ),
    ("a cut history of a customer, before and after the end of another", [[other], [first]], 1),
    ("pages that name no customer, without the last", [[page("1", hasMore: true)]], 1),
  ]

  private static func read(_ files: [[String]], _ scenario: Scenario) async throws -> [String] {
    let paths = try files.enumerated().map { number, lines in
      try scenario.write("page-\(number)-\(lines.joined().utf8.count).ndjson", lines.map { $0 + "\n" }.joined())
    }
    return try await scenario.ingest(.apple, files: paths, asOf: asOf).truncatedFiles.map(\.reason.english)
  }

  @Test func aHistoryEndsWithItsLastPage() async throws {
    for test in Self.cases {
      let scenario = try await Scenario()
      #expect(try await Self.read(test.files, scenario).count == test.open, "\(test.name)")
    }
  }

  @Test func theNightIsIncompleteUntilTheLastPageCame() async throws {
    let scenario = try await Scenario()
    let reasons = try await Self.read([[Self.first]], scenario)
    #expect(reasons.allSatisfy { $0.contains("hasMore: true") && $0.contains("line 1") })
    #expect(try await scenario.night(asOf: Self.asOf).verdict == .incomplete)
    _ = try await Self.read([[Self.last]], scenario)
    #expect(try await scenario.night(asOf: "2026-05-12T13:00:00Z").verdict < .incomplete)
  }
}
