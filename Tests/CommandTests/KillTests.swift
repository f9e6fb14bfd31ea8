import Dice
import FoundationEssentials
import Glibc
import Postgres
import Testing
import TestSupport

/// A night killed at any point and started again has the result of an undisturbed night.
@Suite(.cleansUp) struct KillTests {
  private static let orders = 500
  private static let killsInAll = 12
  /// Kills per database before an undisturbed run. Each kill but the first meets the state after another one.
  private static let killsPerDatabase = 3
  /// Maximum number of databases, because a killed night has fewer points left.
  private static let databasesMax = 30

  /// Seed of the kill points: `PAYRECON_TEST_SEED`, else a constant.
  private static let seed = Program.variable("PAYRECON_TEST_SEED").flatMap(UInt64.init) ?? 20_261_119

  private static func nightly(_ desk: Desk, _ world: String, pieces: Int = 1, kill: Program.Kill = .never) async throws
    -> Execution
  {
    try await desk.patiently {
      try await desk.program(
        "nightly", "--as-of", Desk.asOf, "--inbox", "\(world)/inbox", "--out", "report", "--pieces", "\(pieces)", "--workers",
        "\(pieces)", kill: kill)
    }
  }

  /// Returns the stage in which a night was killed.
  private static func stage(_ desk: Desk) async throws -> String {
    let done = try await desk.query("select count(*)::text from payrecon.batches where state = 'done'")
    guard done == "4" else { return "ingest" }
    let folder = "\(desk.directory)/report"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    if names.contains("manifest.json") { return "after the report" }
    if !names.isEmpty { return "report" }
    return "match and detect"
  }

  @Test func endsWhereAnUndisturbedNightEnds() async throws {
    let world = try await Worlds.shared.directory(orders: Self.orders)
    let calm = try await Desk(world: world)
    let undisturbed = try await Self.nightly(calm, world)
    #expect(undisturbed.status == 1, "\(undisturbed.complaint)")
    let expected = try await calm.outcome()
    try #require(undisturbed.points > 0)
    var dice = Dice(seed: Self.seed)
    var stages: [String: Int] = [:]
    var killCount = 0
    for _ in 0..<Self.databasesMax where killCount < Self.killsInAll {
      let desk = try await Desk(world: world)
      for _ in 0..<Self.killsPerDatabase where killCount < Self.killsInAll {
        let point = Int.random(in: 1...undisturbed.points, using: &dice)
        let execution = try await Self.nightly(desk, world, kill: .at(point: point))
        guard execution.signal == SIGKILL else {
          #expect(execution.status == 1, "\(execution.complaint)")
          break
        }
        killCount += 1
        stages[try await Self.stage(desk), default: 0] += 1
      }
      try await Self.expectSame(desk, world, expected)
    }
    print("killed \(killCount) times, seed \(Self.seed): \(stages.sorted { $0.key < $1.key })")
    #expect(killCount == Self.killsInAll)
  }

  /// Kills in a certain stage, independent of the machine's speed: a table lock stops the night there. Killed nights match in
  /// pieces, the undisturbed one does not.
  @Test func endsAsUndisturbedAfterAKillInEachStage() async throws {
    let world = try await Worlds.shared.directory(orders: Self.orders)
    let calm = try await Desk(world: world)
    #expect(try await Self.nightly(calm, world).status == 1)
    let expected = try await calm.outcome()
    for (table, stage) in [
      ("orders", "ingest"), ("uploads", "ingest"), ("evidence", "ingest"), ("charges", "ingest"),
      ("piece_matches", "match and detect"), ("matches", "match and detect"), ("refused_claims", "match and detect"),
      ("break_events", "match and detect"), ("detections", "match and detect"),
    ] {
      let desk = try await Desk(world: world)
      let execution = try await Self.nightlyKilled(at: table, desk, world)
      #expect(execution.signal == SIGKILL, "at \(table): \(execution.complaint)")
      let found = try await Self.stage(desk)
      #expect(found == stage, "at \(table)")
      try await Self.expectSame(desk, world, expected)
    }
    // In the report stage a partial file exists and the manifest does not. A late check misses it, so there are several attempts.
    var reportKills = 0
    for _ in 0..<Self.databasesMax where reportKills == 0 {
      let desk = try await Desk(world: world)
      let folder = "\(desk.directory)/report"
      let execution = try await Self.nightly(desk, world, kill: .when { unsafe access("\(folder)/.breaks.csv.partial", F_OK) == 0 })
      if execution.signal == SIGKILL, try await Self.stage(desk) == "report" { reportKills += 1 }
      try await Self.expectSame(desk, world, expected)
    }
    #expect(reportKills == 1)
  }

  /// Runs a night that is killed when it wants to write to a table.
  private static func nightlyKilled(at table: String, _ desk: Desk, _ world: String) async throws -> Execution
  {
    let blocker = try await Session.open(desk.connection)
    try await blocker.executeAlone("begin")
    try await blocker.executeAlone("lock table payrecon.\(table) in share mode")
    let isWaiting = Flag()
    async let killed = nightly(desk, world, pieces: 2, kill: .when { isWaiting.isSet })
    if try await desk.waitForLock(on: table) { isWaiting.set() }
    // A night that never reaches the table ends by itself, and the expectation on its signal fails.
    let execution = try await killed
    try await blocker.executeAlone("rollback")
    await blocker.close()
    return execution
  }

  private static func expectSame(_ desk: Desk, _ world: String, _ expected: Outcome) async throws {
    let last = try await nightly(desk, world, pieces: 2)
    #expect(last.status == 1, "\(last.complaint)")
    let differences = try await desk.outcome().differences(from: expected)
    #expect(differences == [], "seed \(seed)")
    await desk.end()
  }
}
