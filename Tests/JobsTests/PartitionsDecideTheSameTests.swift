/// A match run in partitions, by any number of sessions, decides the same as a run in one partition.
@Suite(.cleansUp) struct PartitionsDecideTheSameTests {
  /// The first clock is inside the world's time and the second at its end. Grace periods and subscription periods end between them.
  private static let clocks = ["2026-11-10T00:00:00Z", "2026-11-19T00:00:00Z"]
  private static let orders = 400
  private static let tables = [
    "matches", "matched_orders", "refused_claims", "second_charges", "ambiguous_candidates", "break_events", "open_breaks",
  ]

  @Test(arguments: [9, 10, 11] as [UInt64]) func partitionsDecideTheSame(seed: UInt64) async throws {
    try await Self.expectSame(
      seed: seed, clocks: Self.clocks, partitionings: [Partitioning(partitions: 4, workers: 2), Partitioning(partitions: 64)])
  }

  /// More partitions than users, so that hardly two components share one.
  @Test func onePartitionPerComponentDecidesTheSame() async throws {
    try await Self.expectSame(seed: 12, clocks: [Self.clocks[1]], partitionings: [Partitioning(partitions: 1000, workers: 2)])
  }

  private static func expectSame(seed: UInt64, clocks: [String], partitionings: [Partitioning]) async throws {
    let ingested = try await ingested(seed: seed)
    let whole = try await decisions(of: ingested, clocks: clocks, partitioning: Partitioning())
    #expect(whole.filter { $0.value.isEmpty }.keys.sorted() == [])
    for partitioning in partitionings {
      let found = try await decisions(of: ingested, clocks: clocks, partitioning: partitioning)
      for (name, text) in whole where found[name] != text { Issue.record("\(partitioning): \(name) differ") }
    }
  }

  static func ingested(seed: UInt64) async throws -> Scenario {
    let ingested = try await Scenario()
    let world = "\(ingested.directory)/world"
    _ = try await World.write(seed: seed, orders: orders, directory: world, noise: .usual)
    try await ingested.ingestWorld(world, asOf: clocks[0])
    return ingested
  }

  /// Returns the decisions about a copy of all facts, after full runs at each clock, by list and by table.
  private static func decisions(of ingested: Scenario, clocks: [String], partitioning: Partitioning) async throws -> [String: String] {
    var scenario = ingested
    scenario.connection = try await TestServer.shared.copy(of: ingested.connection)
    // A dry run decides its partitions in one transaction.
    let tried = try await DecisionRun(context: try scenario.context(asOf: clocks[0]))
      .match(isFull: true, isDryRun: true, partitioning: partitioning).changes
    for clock in clocks { try await scenario.decide(isFull: true, asOf: clock, partitioning: partitioning) }
    var found = try await exports(scenario)
    found["dry run"] = tried.map { "\($0.change) \($0.orderID) \($0.chargeID) \($0.rung)\n" }.joined()
    // A second full run neither closes nor creates a match, and leaves no partition.
    let last = clocks[clocks.count - 1]
    let run = DecisionRun(context: try scenario.context(asOf: last))
    let again = try await run.match(isFull: true, isDryRun: false, partitioning: Partitioning(partitions: 2))
    #expect(again.createdCount + again.closedCount == 0, "\(partitioning)")
    #expect(try await scenario.changesOfFullRuns(asOf: last) == [], "\(partitioning)")
    for table in ["partitions", "partition_matches", "partition_refused_claims"] {
      #expect(try await rows(of: table, scenario) == "", "\(partitioning)")
    }
    return found
  }

  private static func exports(_ scenario: Scenario) async throws -> [String: String] {
    var found: [String: String] = [:]
    for list in [ExportList.matches, .breaks, .pending, .signals] {
      for clock in clocks {
        found["\(list) \(clock)"] = String(decoding: try await scenario.export(list, asOf: clock), as: UTF8.self)
      }
    }
    for table in tables { found[table] = try await rows(of: table, scenario) }
    return found
  }

  private static func rows(of table: String, _ scenario: Scenario) async throws -> String {
    try await scenario.answers("select entry::text from payrecon.\(table) as entry order by 1").joined(separator: "\n")
  }

  // MARK: Interrupted runs

  /// A run was killed with one partition left, as of the first clock. The next run, at a later clock, continues with that partition.
  @Test func killedRunResumes() async throws {
    let ingested = try await Self.ingested(seed: 12)
    var calm = ingested
    calm.connection = try await TestServer.shared.copy(of: ingested.connection)
    let first = DecisionRun(context: try ingested.context(asOf: Self.clocks[0]))
    try await Self.blocking(ingested) { blocker in
      async let killed = first.match(isFull: true, isDryRun: false, partitioning: Partitioning(partitions: 8))
      try await blocker.untilSomebodyWaits()
      // Another session owns one partition until it dies.
      let other = try await Session.open(ingested.connection)
      try await other.executeAlone("begin; select 1 from payrecon.partitions where partition = 5 for update")
      try await blocker.letGo()
      try await ingested.wait(until: "(select count(*) from payrecon.partitions where not is_decided) = 1")
      try await blocker.kill()
      do {
        _ = try await killed
        Issue.record("nobody was killed")
      } catch {}
      try await other.executeAlone("rollback")
      await other.close()
    }
    // Until then, nothing is recorded.
    #expect(try await Self.rows(of: "matches", ingested) == "")
    #expect(try await first.joinMatch() == 1)
    #expect(try await first.joinMatch() == 0)
    for scenario in [calm, ingested] { try await scenario.decide(asOf: Self.clocks[1]) }
    let whole = try await Self.exports(calm)
    let found = try await Self.exports(ingested)
    for (name, text) in whole where found[name] != text { Issue.record("\(name) differ") }
    #expect(try await first.joinMatch() == nil)
  }

  /// An erasure during a run removes the partitions. The run then starts again.
  @Test func runWithoutPartitionsStartsAgain() async throws {
    let ingested = try await Self.ingested(seed: 13)
    let run = DecisionRun(context: try ingested.context(asOf: Self.clocks[1]))
    try await Self.blocking(ingested) { blocker in
      async let partitioning = run.match(isFull: true, isDryRun: false, partitioning: Partitioning(partitions: 3))
      try await blocker.untilSomebodyWaits()
      let other = try await Session.open(ingested.connection)
      async let gone: Void = other.executeAlone("delete from payrecon.partitions")
      try await ingested.wait(
        until: "exists (select from pg_stat_activity where datname = current_database() and query like 'delete from payrecon.partitions%'"
          + " and wait_event_type = 'Lock')")
      try await blocker.letGo()
      try await gone
      await other.close()
      #expect(try await partitioning.createdCount > 0)
    }
    #expect(try await ingested.changesOfFullMatch(asOf: Self.clocks[1]) == [])
  }

  /// Blocks sessions that store the decisions of a partition.
  private struct Blocker {
    let scenario: Scenario
    let session: Session

    private static let waiting =
      "from pg_locks where not granted and relation = 'payrecon.partition_matches'::regclass"
      + " and database = (select oid from pg_database where datname = current_database())"

    func untilSomebodyWaits() async throws { try await scenario.wait(until: "exists (select \(Self.waiting))") }

    func letGo() async throws { try await session.executeAlone("rollback") }

    func kill() async throws {
      try await scenario.wait(
        until: "(select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database()"
          + " and wait_event_type = 'Lock' and pid <> pg_backend_pid()) > 0")
    }
  }

  private static func blocking(_ scenario: Scenario, _ body: (Blocker) async throws -> Void) async throws {
    let session = try await Session.open(scenario.connection)
    try await session.executeAlone("begin; lock table payrecon.partition_matches in share mode")
    try await body(Blocker(scenario: scenario, session: session))
    await session.close()
  }
}
