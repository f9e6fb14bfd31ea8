import FoundationEssentials

/// The same nights on plain PostgreSQL and on a server that distributes the large tables over nodes. Every output is equal.
///
/// Runs only where `PAYRECON_TEST_CITUS_URL` names such a server.
@Suite(.serialized, .enabled(if: SpreadServer.url != nil, "PAYRECON_TEST_CITUS_URL names no server with Citus"), .cleansUp)
struct NightsOnSeveralNodesTests {
  private static let nights = ["2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"]
  private static let orders = 400
  private static let partitions = Partitioning(partitions: 3, workers: 2)
  /// Tables whose figures are traced back to their rows.
  private static let figures: [FigureTable] = [.daily, .ageing, .days, .inputs, .quarantine, .renewals, .refundMonths]

  @Test func nightsOnSeveralNodesAgree() async throws {
    let (plain, spread, parts) = try await Self.begin(nights: Self.nights.count)
    for (night, asOf) in Self.nights.enumerated() {
      for scenario in [plain, spread] { try await Self.run(parts.inbox(night), asOf, scenario) }
      try await Self.compare(plain, spread, asOf: asOf)
    }
    for asOf in Self.nights.dropLast() { try await Self.compare(plain, spread, asOf: asOf) }
    let asOf = Self.nights[2]
    #expect(try await spread.changesOfFullRuns(asOf: asOf) == [])
    try await plain.decide(isFull: true, asOf: asOf)
    try await spread.decide(isFull: true, asOf: asOf, partitioning: Self.partitions)
    try await Self.compare(plain, spread, asOf: asOf)
    try await Self.erase(plain, spread, asOf: asOf)
    try await Self.compare(plain, spread, asOf: asOf)
    for scenario in [plain, spread] { try await scenario.night(asOf: asOf) }
    try await Self.compare(plain, spread, asOf: asOf)
    #expect(try await spread.auditFaults(asOf: asOf) == [])
    #expect(try await DistributeJob(context: spread.context(asOf: asOf)).run().contains("nothing was left to do"))
  }

  /// A node is killed during each part of a night. The night reports a temporary error, and the next try continues when
  /// the node is back. The final output equals that of an undisturbed night in one partition.
  @Test(.enabled(if: SpreadServer.node != nil, "PAYRECON_TEST_CITUS_NODE says of no node how it is stopped and started"))
  func killedNodeIsATemporaryError() async throws {
    let (plain, spread, parts) = try await Self.begin(nights: 1)
    let asOf = Self.nights[0]
    try await Self.run(parts.inbox(0), asOf, plain)
    for reached in ["orders", "evidence", "partition_matches", "matches", "break_events"] {
      let error = await Self.failure(of: parts.inbox(0), asOf, spread, killingANodeOnceThereAre: reached)
      let said = error.map { "\($0)" } ?? "nothing failed"
      #expect(((error as? PostgresError)?.isTemporary ?? ((error as? JobError)?.status == .temporary)), "\(reached): \(said)")
      #expect(said.contains("node"), "\(reached): \(said)")
    }
    // While the node is down, a night does not even start.
    try SpreadServer.runNode("stop")
    let away = await #expect(throws: JobError.self) { try await Self.run(parts.inbox(0), asOf, spread, partitioning: Self.partitions) }
    try SpreadServer.runNode("start")
    #expect(away?.status == .temporary && away?.message.contains("does not answer") == true, "\(away?.message ?? "")")
    try await Self.run(parts.inbox(0), asOf, spread, partitioning: Self.partitions)
    try await Self.compare(plain, spread, asOf: asOf)
    #expect(try await spread.changesOfFullRuns(asOf: asOf) == [])
    #expect(try await spread.auditFaults(asOf: asOf) == [])
  }

  /// A transaction that a failed node has not committed is visible nowhere. Writers wait until it is.
  @Test func writersWaitForPartialCommits() async throws {
    let (_, spread, parts) = try await Self.begin(nights: 1)
    try await spread.execute("select run_command_on_workers($$begin; select txid_current(); prepare transaction 'citus_0_1_1_1'$$)")
    let night = Task { try await Self.run(parts.inbox(0), Self.nights[0], spread) }
    try await Task.sleep(for: .seconds(3))
    #expect(try await spread.rows(.orders, asOf: Self.nights[0]) == [])
    try await spread.execute("select recover_prepared_transactions()")
    try await night.value
    #expect(try await spread.rows(.orders, asOf: Self.nights[0]).isEmpty == false)
  }

  @Test func `a node with asynchronous commits is named before tables are distributed, and by doctor afterwards`() async throws {
    let (_, spread, _) = try await Self.begin(nights: 1)
    func found() async throws -> String? {
      let clock = try #require(Timestamp(rfc3339: Self.nights[0]))
      return try await DoctorJob(context: spread.context(asOf: Self.nights[0])).run(now: clock).first { $0.check == "nodes" }?.line
    }
    /// A node reads its settings a moment after the reload.
    func commit(_ how: String) async throws {
      for said in ["alter system set synchronous_commit = \(how)", "select pg_reload_conf()"] {
        try await spread.execute("select run_command_on_workers('\(said)')")
      }
      try await spread.wait(
        until: "not exists (select 1 from run_command_on_workers('show synchronous_commit') where result <> '\(how)')")
    }
    #expect(try await found() == "ok    nodes: each keeps what it committed, should it be killed")
    try await commit("off")
    #expect(try await found()?.hasPrefix("fault nodes: ") == true)
    let refused = await #expect(throws: JobError.self) {
      try await DistributeJob(context: spread.context(asOf: Self.nights[0])).run()
    }
    #expect(refused?.message.contains("synchronous_commit is off") == true)
    try await commit("on")
    #expect(try await DistributeJob(context: spread.context(asOf: Self.nights[0])).run().last == "nothing was left to do")
  }

  @Test func `a table removed from the list is on the coordinator again, with its owner's original privileges`() async throws {
    let (_, spread, _) = try await Self.begin(nights: 1)
    let rights = "select unnest(relacl)::text from pg_class where oid = 'payrecon.erased_users'::regclass order by 1"
    let before = try await spread.answers(rights)
    try await spread.execute(
      "set role payrecon_migrate; select create_distributed_table('payrecon.erased_users', 'user_hash'); reset role")
    let said = try await DistributeJob(context: spread.context(asOf: Self.nights[0])).run()
    #expect(said.last == "on one node again: erased_users")
    #expect(try await spread.answers(rights) == before)
  }

  /// Returns a database on one server, one on several, and a world whose inputs are divided into nights.
  private static func begin(nights: Int) async throws -> (plain: Scenario, spread: Scenario, parts: WorldParts) {
    let plain = try await Scenario()
    let spread = try await SpreadServer.scenario()
    let said = try await DistributeJob(context: spread.context(asOf: Self.nights[0])).run()
    let listed = try TestServer.sql().text("distribution.csv").split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
    #expect(said.last == "spread by their keys: \(listed.joined(separator: ", "))")
    let world = "\(plain.directory)/world"
    _ = try await World.write(seed: 5, orders: Self.orders, directory: world, noise: .usual)
    for scenario in [plain, spread] { try scenario.trustWorld(world) }
    return (plain, spread, try WorldParts(world: world, nights: nights))
  }

  /// Returns the error of a night whose node was killed as soon as a table had rows. The node is running again.
  private static func failure(
    of inbox: String, _ asOf: String, _ spread: Scenario, killingANodeOnceThereAre table: String
  ) async -> (any Error)? {
    let running = Task { try await run(inbox, asOf, spread, partitioning: partitions) }
    do {
      try await spread.wait(until: "exists (select 1 from payrecon.\(table))")
      try SpreadServer.runNode("stop")
    } catch { return error }
    let outcome = await running.result
    do { try SpreadServer.runNode("start") } catch { return error }
    guard case .failure(let error) = outcome else { return nil }
    return error
  }

  /// Erases the same users in both databases, one of whom was ingested again before. Tombstones use one key.
  private static func erase(_ plain: Scenario, _ spread: Scenario, asOf: String) async throws {
    let users = try await plain.answers(
      """
      (select user_id from payrecon.break_events where class = 'REPLAY_MULTI_USER' order by 1 limit 1)
      union (select user_id from payrecon.users where app_account_token is not null order by 1 limit 2)
      """)
    try #require(users.count >= 2)
    for scenario in [plain, spread] {
      try await scenario.execute("update payrecon.erasure_key set key = 'of a test'")
      try await scenario.users(["\(users[0]),,JPN,true"], asOf: asOf)
    }
    for user in users {
      var changes: [[String]] = []
      for scenario in [plain, spread] {
        let job = EraseJob(context: try scenario.context(asOf: asOf))
        let outcome = try await job.run(userID: user, by: .ann, reason: "ticket 1", isDryRun: false)
        changes.append(outcome.changes.map { "\($0.table) \($0.count)" })
      }
      #expect(changes[0] == changes[1] && changes[0].contains("users 0") == false, "\(user)")
    }
  }

  private static func run(_ inbox: String, _ asOf: String, _ scenario: Scenario, partitioning: Partitioning = Partitioning()) async throws {
    let folder = "\(scenario.directory)/night"
    _ = try await NightlyJob(context: try scenario.context(asOf: asOf), partitioning: partitioning).run(
      inbox: inbox, reportDirectory: folder)
    try FileManager.default.removeItem(atPath: folder)
  }

  private static func lines(_ bytes: [UInt8]) -> Set<String> {
    Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Compares every list, the files of every report except their manifests, and the figures with rows.
  private static func compare(_ plain: Scenario, _ spread: Scenario, asOf: String) async throws {
    // Runs have wall-clock times.
    for list in ExportList.allCases where list != .runs {
      let (theirs, ours) = (try await plain.export(list, asOf: asOf), try await spread.export(list, asOf: asOf))
      let other = Self.lines(theirs).symmetricDifference(Self.lines(ours)).sorted().prefix(4).joined(separator: "\n")
      #expect(theirs == ours, "\(list) as of \(asOf), \(theirs.count) and \(ours.count) bytes:\n\(other)")
    }
    let (theirs, ours) = (try await plain.report(.all, asOf: asOf), try await spread.report(.all, asOf: asOf))
    #expect(theirs.map(\.name) == ours.map(\.name))
    for (one, other) in zip(theirs, ours) where one.name != "manifest.json" {
      #expect(one.text == other.text, "\(one.name) as of \(asOf)")
    }
    for table in figures {
      func answer(_ scenario: Scenario) async throws -> [UInt8] {
        try await RowFilter().bytes(of: FigureRows(context: scenario.context(asOf: asOf), table: table).list().table, as: .csv)
      }
      #expect(try await answer(plain) == answer(spread), "\(table) as of \(asOf)")
    }
  }
}
