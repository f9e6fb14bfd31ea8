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

/// Everything decided in pieces, by as many sessions as there are, is what one piece decides.
@Suite struct MatchPiecesTests {
  private static let asOf = "2026-11-19T00:00:00Z"
  private static let orders = 400
  private static let cuts = [MatchCut(pieces: 4, workers: 2), MatchCut(pieces: 64)]

  @Test func piecesComeToWhatOneComesTo() async throws {
    let told = try await Scenario()
    let world = "\(told.directory)/world"
    _ = try await World.write(seed: 9, orders: Self.orders, directory: world, noise: .usual)
    try FileManager.default.copyItem(atPath: "\(world)/roots/simulated-root.der", toPath: "\(told.directory)/roots/world.der")
    let files = [(InputKind.catalogue, "catalogue.csv"), (.users, "users.csv"), (.orders, "orders.csv"), (.apple, "apple.ndjson")]
    for (kind, file) in files {
      _ = try await IngestJob(context: told.context(asOf: Self.asOf)).run(
        kind: kind, files: ["\(world)/inbox/\(file)"], format: nil, source: .imported, runID: "fill", resumes: false)
    }
    let whole = try await Self.decisions(of: told, cut: MatchCut())
    #expect(whole.allSatisfy { !$0.value.isEmpty }, "\(whole.filter(\.value.isEmpty).keys)")
    for cut in Self.cuts {
      let found = try await Self.decisions(of: told, cut: cut)
      for (name, text) in whole where found[name] != text { Issue.record("\(cut): \(name) differ") }
    }
    await told.end()
  }

  /// What is decided of a copy of all that was told, by list and by table.
  private static func decisions(of told: Scenario, cut: MatchCut) async throws -> [String: String] {
    var scenario = told
    scenario.connection = try await TestServer.shared.copy(of: told.connection)
    try await scenario.decide(asOf: asOf, cut: cut)
    var found: [String: String] = [:]
    for list in [ExportList.matches, .breaks, .pending] {
      found["\(list)"] = String(decoding: try await scenario.export(list, asOf: asOf), as: UTF8.self)
    }
    let session = try await Session.open(scenario.connection)
    for table in ["matches", "matched_orders", "refused_claims", "second_charges", "ambiguous_candidates"] {
      found[table] = try await session.transaction { tx in
        var bytes: [UInt8] = []
        _ = try tx.copyOut("copy (select told::text from payrecon.\(table) as told order by 1) to stdout") { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
    await session.close()
    // Everything once more, over what stands: nothing is ended and nothing begins, and no piece is left.
    let again = try await DecisionRun(context: scenario.context(asOf: asOf)).match(isFull: true, isDryRun: false, cut: cut)
    #expect(again.begunCount + again.endedCount == 0, "\(cut)")
    #expect(try await scenario.changesOfFullMatch(asOf: asOf) == [], "\(cut)")
    await TestServer.shared.drop(scenario.connection)
    return found
  }
}
