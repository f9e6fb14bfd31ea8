/// After backup and restore of a night's database, everything is unchanged and the next night runs.
@Suite(.serialized, .cleansUp) struct BackupTests {
  private static let nextNight = "2026-11-20T00:00:00Z"

  private static func run(_ setup: Setup, _ words: String...) async throws { try await setup.program.run(words, exits: 0) }

  private static func lists(_ setup: Setup) async throws -> [String: [UInt8]] {
    var found = try await setup.exports(["matches", "breaks", "charges", "evidence", "signals"])
    found["audit"] = try await setup.program("audit", "list", "--format", "csv").output
    return found
  }

  /// Verifies a restored database.
  private static func check(_ setup: Setup, _ world: String, _ before: [String: [UInt8]]) async throws {
    try await setup.program("audit", "verify", exits: 0)
    let after = try await lists(setup)
    for (name, bytes) in before { #expect(after[name] == bytes, "\(name) is not what it was") }
    let id = try #require(try await setup.rows("runs").first { $0["job"] == "nightly" }?["run_id"])
    try await setup.program("runs", "replay", id, exits: 0)
    try await setup.nightly("\(world)/inbox", asOf: nextNight, out: "next", exits: 1)
    try await setup.program("audit", "verify", exits: 0)
    try await setup.program("doctor", prints: "ok    privileges")
  }

  @Test func `a dump and a base backup of the private cluster, each restored to a new cluster`() async throws {
    let world = try await Worlds.shared.small()
    let setup = try await Setup.withCluster(world: world)
    try await setup.nightly("\(world)/inbox", out: "night", exits: 1)
    let before = try await Self.lists(setup)
    try await Self.run(setup, "pg_dump", "--format=custom", "--file=night.dump", setup.connection.conninfo)
    try await Self.run(setup, "pg_dumpall", "--roles-only", "--file=roles.sql", "--dbname=\(setup.connection.conninfo)")
    try await Self.run(setup, "pg_basebackup", "--pgdata=base", "--checkpoint=fast", "--dbname=\(setup.connection.conninfo)")

    var dumped = setup
    dumped.program.environment["PAYRECON_STATE_DIR"] = "\(setup.directory)/state-of-dump"
    try await dumped.startCluster()
    // The login of the cluster already exists, and the script reports that. The roles do not exist.
    _ = try await dumped.program.run(["psql", "-Xq", "-f", "roles.sql", dumped.connection.conninfo])
    try await Self.run(
      dumped, "pg_restore", "--exit-on-error", "--single-transaction", "--dbname=\(dumped.connection.conninfo)", "night.dump")
    try await Self.check(dumped, world, before)

    var based = setup
    based.program.environment["PAYRECON_STATE_DIR"] = "\(setup.directory)/state-of-base"
    try await based.startCluster()
    #expect(try await based.program("database", "stop").status == 0)
    let home = try #require(try await based.program("database", "status").headlineEnd)
    // The server's account remains the owner of its data.
    let owner = try await based.program.run(["stat", "-c", "%U", "\(home)/data"]).text.split(separator: "\n").joined()
    try await Self.run(based, "mv", "\(home)/data", "\(home)/data.old")
    try await Self.run(based, "cp", "-a", "base", "\(home)/data")
    try await Self.run(based, "chown", "-R", owner, "\(home)/data")
    try await based.startCluster()
    try await Self.check(based, world, before)
  }
}
