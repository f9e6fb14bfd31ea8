import FoundationEssentials
import Glibc

/// A night killed in any stage and started again has the result of an undisturbed night. FaultTests kills at counted points.
@Suite(.cleansUp) struct KillTests {
  /// Maximum number of attempts to kill a night while it writes its report.
  private static let databasesMax = 30

  /// Tables at whose locks the nights of one database are killed, one after another, with their stages.
  private static let chains: [[(table: String, stage: String)]] = [
    [("orders", "ingest"), ("uploads", "ingest"), ("evidence", "ingest"), ("charges", "ingest")],
    [("partition_matches", "match and detect"), ("matches", "match and detect"), ("refused_claims", "match and detect")],
    [("break_events", "match and detect"), ("detections", "match and detect")],
  ]
  private static let inPartitions = ["--partitions", "2", "--workers", "2"]

  /// Returns the stage in which a night was killed.
  private static func stage(_ setup: Setup) async throws -> String {
    let done = try await setup.query("select count(*)::text from payrecon.batches where state = 'done'")
    guard done == "4" else { return "ingest" }
    let folder = "\(setup.directory)/report"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    if names.contains("manifest.json") { return "after the report" }
    if !names.isEmpty { return "report" }
    return "match and detect"
  }

  /// Kills in a certain stage, independent of the machine's speed: a table lock stops the night there. Each kill of a database but the
  /// first meets the state after another one. Killed nights match in partitions, the undisturbed one does not.
  @Test func endsAsUndisturbedAfterAKillInEachStage() async throws {
    let (world, expected) = (try await Worlds.shared.small(), try await Worlds.shared.night().outcome)
    for chain in Self.chains {
      let setup = try await Setup(world: world)
      for (table, stage) in chain {
        let execution = try await Self.nightlyKilled(at: table, setup, world)
        #expect(execution.signal == SIGKILL, "at \(table): \(execution.complaint)")
        #expect(try await Self.stage(setup) == stage, "at \(table)")
      }
      try await Self.expectSame(setup, world, expected)
    }
    // In the report stage a partial file exists and the manifest does not. A late check misses it, so there are several attempts.
    var reportKills = 0
    for _ in 0..<Self.databasesMax where reportKills == 0 {
      let setup = try await Setup(world: world)
      let folder = "\(setup.directory)/report"
      let execution = try await setup.nightly("\(world)/inbox", kill: .when { unsafe access("\(folder)/.breaks.csv.partial", F_OK) == 0 })
      if execution.signal == SIGKILL, try await Self.stage(setup) == "report" { reportKills += 1 }
      try await Self.expectSame(setup, world, expected)
    }
    #expect(reportKills == 1)
  }

  /// Connections lost during a run: a temporary error with a message.
  @Test(arguments: ["evidence", "matches", "break_events"]) func endsAsUndisturbedAfterLostConnections(at table: String) async throws {
    let (world, setup, expected) = try await Worlds.shared.smallSetup()
    let blocker = try await setup.block(table)
    async let disturbed = setup.nightly("\(world)/inbox", exits: 75, complains: "payrecon: could not finish: ")
    #expect(try await setup.waitForLock(on: table))
    try await setup.cutNight()
    _ = try await disturbed
    await blocker.close()
    try await Self.expectSame(setup, world, expected)
  }

  /// The private server is stopped, as at a shutdown, or killed, as the kernel does when memory runs out. The next night starts it.
  @Test(.serialized, arguments: [true, false]) func endsAsUndisturbedAfterItsServerEnds(isStopped: Bool) async throws {
    let world = try await Worlds.shared.small()
    let setup = try await Setup.withCluster(world: world)
    try await setup.program("init", exits: 0)
    // All users share the single login of the server.
    try await setup.program("doctor", prints: "note  four eyes: cannot be enforced, all share the login ")
    let blocker = try await setup.block("matches")
    async let night = setup.nightly("\(world)/inbox", exits: 75, complains: "the connection to the database was lost")
    #expect(try await setup.waitForLock(on: "matches"))
    if isStopped { try await setup.program("database", "stop", exits: 0) } else { kill(try await setup.postmaster(), SIGKILL) }
    _ = try await night
    await blocker.close()
    try await setup.nightly("\(world)/inbox", exits: 1)
    #expect(try await setup.outcome().differences(from: Worlds.shared.night().outcome) == [])
  }

  /// Runs a night that is killed when it wants to write to a table.
  private static func nightlyKilled(at table: String, _ setup: Setup, _ world: String) async throws -> Execution {
    let blocker = try await setup.block(table)
    let isWaiting = Flag()
    async let killed = setup.nightly("\(world)/inbox", inPartitions, kill: .when { isWaiting.isSet })
    if try await setup.waitForLock(on: table) { isWaiting.set() }
    // A night that never reaches the table ends by itself, and the expectation on its signal fails.
    let execution = try await killed
    await blocker.close()
    return execution
  }

  private static func expectSame(_ setup: Setup, _ world: String, _ expected: Outcome) async throws {
    try await setup.nightly("\(world)/inbox", inPartitions, exits: 1)
    #expect(try await setup.outcome().differences(from: expected) == [])
    await setup.end()
  }
}
