import Domain
import FoundationEssentials
import Ingest
import JobCore
import Jobs
import Matching
import Postgres
import Reports
import Simulation
import Testing
import TestSupport

/// The same nights on plain PostgreSQL and on a server whose nodes share the large tables: everything that is told is the same.
///
/// Runs where `PAYRECON_TEST_CITUS_URL` names such a server, which nobody has by default.
@Suite(.serialized, .enabled(if: SpreadServer.url != nil, "PAYRECON_TEST_CITUS_URL names no server with Citus"))
struct CitusTests {
  private static let nights = ["2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"]
  private static let orders = 400
  /// Lists that show a wall clock.
  private static let untold: Set<ExportList> = [.runs]
  /// Tables that a figure is asked back from, each with the rows of all its figures.
  private static let figures: [FigureTable] = [.daily, .ageing, .days, .inputs, .quarantine, .renewals, .refundMonths]

  @Test func nightsOnSeveralNodesTellTheSame() async throws {
    let plain = try await Scenario()
    let spread = try await SpreadServer.scenario()
    let said = try await DistributeJob(context: spread.context(asOf: Self.nights[0])).run()
    #expect(said.last == "spread by their keys: \(try Self.listed().joined(separator: ", "))")
    let world = "\(plain.directory)/world"
    _ = try await World.write(seed: 5, orders: Self.orders, directory: world, noise: .usual)
    let parts = try WorldParts(world: world, nights: Self.nights.count)
    for scenario in [plain, spread] {
      try FileManager.default.copyItem(atPath: "\(world)/roots/simulated-root.der", toPath: "\(scenario.directory)/roots/world.der")
    }
    for (night, asOf) in Self.nights.enumerated() {
      for scenario in [plain, spread] { try await Self.run(parts.inbox(night), asOf, scenario) }
      try await Self.compare(plain, spread, asOf: asOf)
    }
    // What earlier clocks knew, and what everything decided anew comes to.
    for asOf in Self.nights.dropLast() { try await Self.compare(plain, spread, asOf: asOf) }
    let asOf = Self.nights[2]
    #expect(try await spread.changesOfFullMatch(asOf: asOf) == [])
    #expect(try await spread.changesOfFullDetect(asOf: asOf) == [])
    for scenario in [plain, spread] { try await Self.decideAll(scenario, asOf: asOf) }
    try await Self.compare(plain, spread, asOf: asOf)
    #expect(try await spread.auditFaults(asOf: asOf) == [])
    #expect(try await DistributeJob(context: spread.context(asOf: asOf)).run().contains("nothing was left to do"))
    await plain.end()
  }

  private static func listed() throws -> [String] {
    let text = try String(contentsOfFile: "\(TestServer.repository)/sql/distribution.csv", encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "," }) }
  }

  private static func run(_ inbox: String, _ asOf: String, _ scenario: Scenario) async throws {
    let folder = "\(scenario.directory)/night"
    _ = try await NightlyJob(context: try scenario.context(asOf: asOf)).run(inbox: inbox, reportDirectory: folder)
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Everything anew, in pieces.
  private static func decideAll(_ scenario: Scenario, asOf: String) async throws {
    let job = DecisionRun(context: try scenario.context(asOf: asOf))
    _ = try await job.match(isFull: true, isDryRun: false, cut: PieceCut(pieces: 3))
    _ = try await job.detect(isFull: true, isDryRun: false, cut: PieceCut(pieces: 3))
  }

  /// Every list, the files of every report but their manifests, and the figures that rows are behind.
  private static func compare(_ plain: Scenario, _ spread: Scenario, asOf: String) async throws {
    for list in ExportList.allCases where !untold.contains(list) {
      let same = try await plain.export(list, asOf: asOf) == spread.export(list, asOf: asOf)
      #expect(same, "\(list) as of \(asOf)")
    }
    let (theirs, ours) = (try await plain.report(.all, asOf: asOf), try await spread.report(.all, asOf: asOf))
    #expect(theirs.map(\.name) == ours.map(\.name))
    for (one, other) in zip(theirs, ours) where one.name != "manifest.json" {
      #expect(one.text == other.text, "\(one.name) as of \(asOf)")
    }
    for table in figures {
      let told = try await [plain, spread].asyncMap { scenario in
        try await FigureRows(context: scenario.context(asOf: asOf), table: table).addresses(format: .csv, filter: RowFilter())
      }
      #expect(told[0] == told[1], "\(table) as of \(asOf)")
    }
  }
}

extension Array {
  fileprivate func asyncMap<Other>(_ change: (Element) async throws -> Other) async throws -> [Other] {
    var changed: [Other] = []
    for element in self { changed.append(try await change(element)) }
    return changed
  }
}
